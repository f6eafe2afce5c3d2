from __future__ import annotations

from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.conditions.held import entries
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import Symbol
from projections.combatant import Combatant

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
