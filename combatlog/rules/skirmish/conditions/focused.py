from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, Attack
from combatlog.rules.skirmish.dice import AttackColour
from combatlog.rules.skirmish.pieces import Condition, piece
from projections.combatant import Combatant


@piece
class Focused(Condition):
    """Adds a green die to the figure's next attack."""

    name = "focused"

    def on_pools(self, attack: Attack, owner: Combatant) -> None:
        if owner is attack.attacker:
            reason = f"{owner.id} is focused"
            attack.add_dice("conditions", ATTACK_POOL, AttackColour.GREEN, 1, self.ref, owner.id, reason)

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if any(change.source == self.ref for change in attack.pool_changes) and owner is attack.attacker:
            table.remove_condition(owner, self.ref, "used for the attack")
