from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.modifiers import halved, multiplied
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.state import can_act
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class Evasion(Feature):
    """Where a dexterity save halves damage, take none if it succeeds and half if it fails."""

    name = "evasion"

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        if harm.target is not owner or harm.halved_by is not AbilityScore.DEX or not can_act(owner):
            return
        if harm.saved:
            yield multiplied("immunity", self.ref, owner.id, "Evasion", 0)
        else:
            yield halved("halving", self.ref, owner.id, "Evasion")
