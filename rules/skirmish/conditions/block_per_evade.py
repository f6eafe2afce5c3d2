from __future__ import annotations

from projections.combatant import Combatant
from rules.skirmish.attack_state import Attack
from rules.skirmish.conditions.held import entries
from rules.skirmish.library import name_of
from rules.skirmish.pieces import Condition, piece
from rules.skirmish.vocabulary import Symbol

BLOCK_PER_EVADE = "skirmish:condition:block_per_evade"


@piece
class BlockPerEvade(Condition):
    """When it defends, the figure gains Block for each evade that its dice show, until the round ends."""

    name = "block_per_evade"

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        evades = attack.rolled(Symbol.EVADE)
        if owner is attack.defender and evades:
            for entry in entries(owner, self.ref):
                reason = f"{name_of(attack.battle, entry['source'])}: {evades} evaded"
                attack.modify("cards", entry["source"], owner.id, reason, Symbol.BLOCK, entry["block"] * evades)
