"""Ground that spells make difficult. A quick answer where there is none, because every path asks."""

from __future__ import annotations

from combatlog.rules.dnd5e.areas import Extent, Shape, covered
from combatlog.rules.dnd5e.instances import Instance, instances_of
from combatlog.rules.dnd5e.state import is_hostile
from combatlog.rules.engine.grid import grid_of
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

ZONE = "dnd5e:condition:zone"
AROUND = "around"
"""Data of a zone that moves with its owner: how far it reaches, in feet."""


def squares_of_zone(battle: Battle, owner: Combatant, instance: Instance) -> list[Position]:
    """Where a zone is now."""
    if AROUND in instance.data and owner.position is not None:
        extent = Extent(Shape.SPHERE, instance.data[AROUND])
        return covered(grid_of(battle.map), extent, owner.position, owner.position)
    return [(x, y) for x, y in instance.data.get("squares", ())]


def rough_squares(battle: Battle, mover: Combatant) -> list[Position]:
    """The squares that the zones of spells make difficult for somebody."""
    return [
        square
        for owner in battle.combatants.values()
        if owner.conditions and owner.present and (held := owner.conditions.get(ZONE)) is not None
        for instance in instances_of(held)
        if instance.data.get("effect", {}).get("difficult") and _counts(owner, mover, instance)
        for square in squares_of_zone(battle, owner, instance)
    ]


def _counts(owner: Combatant, mover: Combatant, instance: Instance) -> bool:
    return is_hostile(owner, mover) or not instance.data["effect"].get("spares_friends")
