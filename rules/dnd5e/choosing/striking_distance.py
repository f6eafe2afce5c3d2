"""Where somebody could strike in one turn: the squares that it can walk to, and those that it reaches from there."""

from __future__ import annotations

from typing import Any

from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.movement import STEP, ways_of


def squares_to_strike(battle: Battle, striker: Combatant, speed: int, reach: int) -> Any:
    """As rows of booleans. A little too many: it may stop on a square that somebody stands on."""
    import numpy as np

    assert striker.position is not None
    costs = np.array(ways_of(battle, striker, striker.position).costs[:-1])
    return _spread(costs // 100 <= speed // STEP, reach // STEP)


def _spread(squares: Any, steps: int) -> Any:
    """The squares and those around them."""
    import numpy as np

    height, width = squares.shape
    padded = np.pad(squares, steps)
    span = range(2 * steps + 1)
    shifted = [padded[y : y + height, x : x + width] for y in span for x in span]
    return np.logical_or.reduce(shifted)
