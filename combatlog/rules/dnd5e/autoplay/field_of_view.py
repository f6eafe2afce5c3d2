"""What can be seen from a square, for looking ahead at many squares at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from combatlog.rules.engine.footprint import block
from combatlog.rules.engine.grid import SOLID, Grid
from ledger.events import Position


@lru_cache(maxsize=4096)
def visible_from(grid: Grid, place: Position) -> Any:
    """Which squares can be seen from a place, as rows of booleans. Walls cannot.

    An estimate: near corners it may differ from the lines that the rules draw, which take much longer for a whole map.
    """
    import numpy as np
    from tcod import libtcodpy
    from tcod.map import compute_fov

    open_squares = np.array([[square not in SOLID for square in row] for row in grid.rows])
    seen = compute_fov(
        open_squares, (place[1], place[0]), light_walls=False, algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST
    )
    return seen & open_squares


@lru_cache(maxsize=4096)
def sees_from(grid: Grid, place: Position, wide: int, own: int) -> Any:
    """From which places a creature, so many squares wide, sees another one; as rows of booleans."""
    seen = visible_from(grid, place)
    for square in block(place, wide, wide)[1:]:
        if square in grid:
            seen = seen | visible_from(grid, square)
    return touching(seen, own)


def touching(squares: Any, wide: int) -> Any:
    """The places at which a body, so many squares wide, covers any of the squares, which are rows of booleans."""
    import numpy as np

    if wide == 1:
        return squares
    height, width = squares.shape
    padded, span = np.pad(squares, ((0, wide - 1), (0, wide - 1))), range(wide)
    return np.logical_or.reduce([padded[y : y + height, x : x + width] for y in span for x in span])
