from __future__ import annotations

from collections.abc import Iterator

from projections.combatant import Combatant
from rules.chain import Modifier
from rules.dnd5e.modifiers import bonus
from rules.dnd5e.pieces import Feature, piece


@piece
class ExtraAttack(Feature):
    """The Attack action buys one attack more."""

    name = "extra_attack"

    def on_attack_count(self, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("features", self.ref, owner.id, "Extra Attack", 1)
