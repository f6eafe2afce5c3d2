from __future__ import annotations

from projections.combatant import Combatant
from rules.skirmish.attack_state import Attack
from rules.skirmish.pieces import Condition, piece
from rules.skirmish.vocabulary import Symbol


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
