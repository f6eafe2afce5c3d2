"""The squares a combatant could attack on its next turn: in melee after moving, or with a shot."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from combatlog.rules.dnd5e.autoplay.arms import shot_range
from combatlog.rules.dnd5e.autoplay.field_of_view import visible_from
from combatlog.rules.dnd5e.paths import Terrain, melee_reach, terrain_of, usual_gait, ways_in
from combatlog.rules.dnd5e.space import width_of
from combatlog.rules.dnd5e.speed import STEP, speed_of
from combatlog.rules.engine.grid import Grid, Ways, distance, grid_of
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


def known_ways(battle: Battle, mover: Combatant, start: Position) -> Ways:
    """Where the mover can go, as `ways_of` has it, worked out once."""
    return _ways(terrain_of(battle, mover, start, usual_gait(battle, mover)))


@lru_cache(maxsize=64)
def _ways(terrain: Terrain) -> Ways:
    return ways_in(terrain)


@lru_cache(maxsize=64)
def ways_from(grid: Grid, starts: tuple[Position, ...]) -> Ways:
    """The ways from the nearest of some squares, whoever is in the way."""
    return grid.ways(starts, around_corners=True)


def endangered_squares(battle: Battle, striker: Combatant, target: Combatant) -> Any:
    """As rows of booleans; all of them if the striker has no position. They are shared: nobody changes them.

    The target is in nobody's way: it asks about places where it could be.
    """
    import numpy as np

    grid = grid_of(battle.map)
    if striker.position is None:
        return np.ones((grid.height, grid.width), dtype=bool)
    gait = usual_gait(battle, striker)
    steps, reach = speed_of(striker, gait) // STEP, melee_reach(striker) // STEP
    terrain, wide = _within(terrain_of(battle, striker, striker.position, gait, target), steps), width_of(striker)
    return _endangered(terrain, grid, steps, (reach, wide), shot_range(striker) // STEP)


def _within(terrain: Terrain, steps: int) -> Terrain:
    """Without those who are too far away to be in the way, so that it is the same wherever they go."""
    near = [frozenset(p for p in bodies if distance(p, terrain.start) <= steps) for bodies in terrain[2:4]]
    return terrain._replace(blocked=near[0], slow=near[1])


@lru_cache(maxsize=256)
def _endangered(terrain: Terrain, grid: Grid, steps: int, reach: tuple[int, int], shot: int) -> Any:
    return _within_a_walk(terrain, steps, *reach) | _within_a_shot(grid, terrain.start, shot)


def _within_a_walk(terrain: Terrain, steps: int, reach: int, wide: int) -> Any:
    """Around walls and enemies. Paths that would end on an occupied square are not excluded."""
    return _spread(_ways(terrain).distances[:-1] < 100 * (steps + 1), reach, wide)


def _spread(places: Any, steps: int, wide: int) -> Any:
    """The squares that a body covers at some places, and those around them."""
    import numpy as np

    height, width = places.shape
    before = steps + wide - 1
    padded, span = np.pad(places, ((before, steps), (before, steps))), range(before + steps + 1)
    return np.logical_or.reduce([padded[y : y + height, x : x + width] for y in span for x in span])


def _within_a_shot(grid: Grid, place: Position, steps: int) -> Any:
    import numpy as np

    near = np.zeros((grid.height, grid.width), dtype=bool)
    x, y = place
    near[max(0, y - steps) : y + steps + 1, max(0, x - steps) : x + steps + 1] = True
    return near & visible_from(grid, place)
