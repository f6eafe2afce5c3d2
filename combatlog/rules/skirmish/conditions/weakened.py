from __future__ import annotations

from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import Symbol
from projections.combatant import Combatant


@piece
class Weakened(Condition):
    """Less damage when attacking, less block when defending. It ends with the figure's activation."""

    name = "weakened"

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        reason = f"{owner.id} is weakened"
        if owner is attack.attacker:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.DAMAGE, -1)
        elif owner is attack.defender:
            attack.modify("conditions", self.ref, owner.id, reason, Symbol.BLOCK, -1)
