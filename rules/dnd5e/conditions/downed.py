"""The conditions of those at 0 hit points."""

from __future__ import annotations

from collections.abc import Iterator

from projections.combatant import Combatant
from rules.chain import Modifier
from rules.dnd5e.attack import Attack, advantage
from rules.dnd5e.pieces import Condition, piece


@piece
class Dead(Condition):
    name = "dead"


@piece
class Dying(Condition):
    name = "dying"


@piece
class Unconscious(Condition):
    name = "unconscious"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner:
            yield advantage(owner.id, self.ref, f"{owner.id} is unconscious", stage="conditions")
