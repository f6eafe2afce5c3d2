from __future__ import annotations

from collections.abc import Iterator

from projections.combatant import Combatant
from rules.chain import Modifier
from rules.dnd5e.modifiers import critical_from
from rules.dnd5e.occasions import Attack
from rules.dnd5e.pieces import Feature, piece


@piece
class ImprovedCritical(Feature):
    """Champion: weapon attacks are critical on 19, too."""

    name = "improved_critical"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell is None:
            yield critical_from("features", self.ref, owner.id, "Champion's improved critical", 19)
