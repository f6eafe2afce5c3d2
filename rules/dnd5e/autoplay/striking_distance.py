"""The squares a combatant could attack on its next turn: in melee after moving, or with a shot."""

from __future__ import annotations

from typing import Any

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.autoplay.arms import melee_reach, shot_range
from rules.dnd5e.movement import STEP, speed_of, ways_of
from rules.dnd5e.sight import visible_from
from rules.engine.grid import Grid, grid_of


def endangered_squares(battle: Battle, striker: Combatant) -> Any:
    """As rows of booleans; all of them if the combatant has no position."""
    import numpy as np

    grid = grid_of(battle.encounter.map)
    if striker.position is None:
        return np.ones((grid.height, grid.width), dtype=bool)
    return _within_a_walk(battle, striker, striker.position) | _within_a_shot(
        grid, striker.position, shot_range(striker) // STEP
    )


def _within_a_walk(battle: Battle, striker: Combatant, place: Position) -> Any:
    """Around walls and enemies. Paths that would end on an occupied square are not excluded."""
    import numpy as np

    costs = np.array(ways_of(battle, striker, place).costs[:-1])
    return _spread(costs // 100 <= speed_of(striker) // STEP, melee_reach(striker) // STEP)


def _spread(squares: Any, steps: int) -> Any:
    """The squares and those around them."""
    import numpy as np

    height, width = squares.shape
    padded = np.pad(squares, steps)
    span = range(2 * steps + 1)
    return np.logical_or.reduce([padded[y : y + height, x : x + width] for y in span for x in span])


def _within_a_shot(grid: Grid, place: Position, steps: int) -> Any:
    import numpy as np

    near = np.zeros((grid.height, grid.width), dtype=bool)
    x, y = place
    near[max(0, y - steps) : y + steps + 1, max(0, x - steps) : x + steps + 1] = True
    return near & visible_from(grid, place)
