"""Refusals for squares where somebody cannot be put."""

from __future__ import annotations

from combatlog.rules.engine.grid import grid_of
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


def require_open(battle: Battle, position: Position) -> None:
    """Refuse a square where nobody can stand, whoever is there."""
    require_on_map(battle, position)
    if not grid_of(battle.map).is_open(position):
        x, y = position
        raise Refusal("place/wall", f"There is a wall at {x},{y}; choose an open square.", destination=position)


def require_on_map(battle: Battle, position: Position) -> None:
    grid = grid_of(battle.map)
    x, y = position
    if position not in grid:
        raise Refusal(
            "place/off-map",
            f"{x},{y} is not on the map, which has columns 0 to {grid.width - 1} and rows 0 to {grid.height - 1}.",
            destination=position,
            width=grid.width,
            height=grid.height,
        )


def taken(position: Position, occupant: Combatant) -> Refusal:
    x, y = position
    return Refusal(
        "place/occupied",
        f"{occupant.name} is at {x},{y}; choose another square.",
        destination=position,
        occupant=occupant.id,
    )
