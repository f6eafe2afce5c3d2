from __future__ import annotations

from collections.abc import Iterator

from projections.combatant import Combatant
from rules.chain import Modifier
from rules.dnd5e.attack import Attack, disadvantage
from rules.dnd5e.pieces import Condition, piece
from rules.dnd5e.vitality import can_act


@piece
class Dodging(Condition):
    """Attacks against somebody who dodges have disadvantage."""

    name = "dodging"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner and can_act(owner):
            yield disadvantage(owner.id, self.ref, f"{owner.id} dodges", stage="conditions")
