"""Conditions about what somebody has in hand: thrown weapons that lie about, a shield that was put down."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.armor import SHIELD
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class MissingWeapons(Condition):
    """Has thrown weapons that lie where they landed until it picks them up."""

    name = "missing_weapons"
    is_single = True


@piece
class Shieldless(Condition):
    """Has put its shield down: 2 less armour class, and a free hand."""

    name = "shieldless"
    is_single = True

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("equipment", self.ref, owner.id, "without its shield", -SHIELD)
