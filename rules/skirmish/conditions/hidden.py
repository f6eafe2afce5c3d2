from __future__ import annotations

from projections.combatant import Combatant
from rules.engine.table import Table
from rules.skirmish.attack_state import Attack
from rules.skirmish.pieces import Condition, piece
from rules.skirmish.vocabulary import Symbol


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
