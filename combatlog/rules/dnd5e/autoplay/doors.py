"""Doors as the automatic player sees them: a way through, if they are not locked."""

from __future__ import annotations

from functools import lru_cache

from combatlog.rules.dnd5e.optional_rules import is_locked
from combatlog.rules.engine.grid import Grid
from ledger.events import Position
from projections.battle import Battle
from projections.terrain import DOOR, FLOOR


def closed_doors(battle: Battle, grid: Grid) -> tuple[Position, ...]:
    """The doors that anybody could open, row by row."""
    return tuple(door for door in _doors(grid) if not is_locked(battle, door))


def locked_doors(battle: Battle, grid: Grid) -> tuple[Position, ...]:
    """The doors that have to be forced, row by row."""
    return tuple(door for door in _doors(grid) if is_locked(battle, door))


def _doors(grid: Grid) -> list[Position]:
    if not grid.has_doors:
        return []
    return [(x, y) for y, row in enumerate(grid.rows) for x, letter in enumerate(row) if letter == DOOR]


def as_if_opened(battle: Battle, grid: Grid) -> Grid:
    """The same squares with the doors open that anybody could open."""
    doors = closed_doors(battle, grid)
    return _opened(grid, doors) if doors else grid


def as_if_forced(grid: Grid) -> Grid:
    """The same squares with all doors open."""
    return _opened(grid, tuple(_doors(grid)))


@lru_cache(maxsize=64)
def _opened(grid: Grid, doors: tuple[Position, ...]) -> Grid:
    rows = [list(row) for row in grid.rows]
    for x, y in doors:
        rows[y][x] = FLOOR
    return Grid(tuple("".join(row) for row in rows))
