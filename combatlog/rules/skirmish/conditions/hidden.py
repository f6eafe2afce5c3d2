from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import Symbol
from projections.combatant import Combatant


@piece
class Hidden(Condition):
    """Adds a surge when attacking, and costs attackers accuracy. It ends when the figure attacks."""

    name = "hidden"

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        reason = f"{owner.id} is hidden"
        if owner is attack.attacker:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.SURGE, 1)
        elif owner is attack.defender:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.ACCURACY, -2)

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if owner is attack.attacker:
            table.remove_condition(owner, self.ref, "its attack is resolved")
