"""What can be seen from a square, for looking ahead at many squares at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ledger.events import Position
from rules.engine.grid import WALL, Grid


@lru_cache(maxsize=4096)
def visible_from(grid: Grid, place: Position) -> Any:
    """Which squares can be seen from a place, as rows of booleans. Walls cannot.

    An estimate: near corners it may differ from the lines that the rules draw, which take much longer for a whole map.
    """
    import numpy as np
    from tcod import libtcodpy
    from tcod.map import compute_fov

    open_squares = np.array([[square != WALL for square in row] for row in grid.rows])
    seen = compute_fov(
        open_squares, (place[1], place[0]), light_walls=False, algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST
    )
    return seen & open_squares
