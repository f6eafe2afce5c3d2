"""The map as somebody crosses it: what is floor to one creature slows another down or stops it."""

from __future__ import annotations

from functools import lru_cache

from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.speed import Gait
from combatlog.rules.engine.footprint import grid_for
from combatlog.rules.engine.grid import Grid, grid_of
from projections.battle import Battle
from projections.combatant import Combatant
from projections.terrain import CHASM, CLIFF, DIFFICULT, FLOOR, SOLID, WALL, WATER

_SPECIAL = (WATER, CLIFF, CHASM)


def ground_for(battle: Battle, mover: Combatant, gait: Gait = Gait.WALK) -> Grid:
    """The squares as a creature moves over them, whatever its size."""
    ground = _ground(grid_of(battle.map), _meaning(mover, gait))
    return _without_walls(ground) if sheet_of(mover).is_incorporeal else ground


def places_for(battle: Battle, mover: Combatant, gait: Gait = Gait.WALK) -> Grid:
    """The same for the place of its space: a large creature has to fit in, or squeeze."""
    ground, wide = ground_for(battle, mover, gait), sheet_of(mover).squares
    return ground if wide == 1 else grid_for(ground, wide)


def _meaning(mover: Combatant, gait: Gait) -> str:
    """What difficult terrain, water, steep ground and a chasm are to somebody who moves in this way."""
    if gait in (Gait.FLY, Gait.BURROW):
        return FLOOR * 4 if gait is Gait.FLY else FLOOR + WALL + FLOOR + WALL
    speeds = sheet_of(mover).speeds
    return DIFFICULT + (FLOOR if speeds.swim else DIFFICULT) + (FLOOR if speeds.climb else DIFFICULT) + WALL


@lru_cache(maxsize=16)
def _without_walls(grid: Grid) -> Grid:
    """To the incorporeal, walls and doors are difficult terrain."""
    letters = str.maketrans(dict.fromkeys(SOLID, DIFFICULT))
    return Grid(tuple(row.translate(letters) for row in grid.rows))


@lru_cache(maxsize=64)
def _ground(grid: Grid, meaning: str) -> Grid:
    if meaning[0] == DIFFICULT and not any(letter in row for row in grid.rows for letter in _SPECIAL):
        return grid
    letters = str.maketrans(dict(zip((DIFFICULT, *_SPECIAL), meaning, strict=True)))
    return Grid(tuple(row.translate(letters) for row in grid.rows))
