"""The squares that a body covers if it is wider than one. Its place is the upper left one of them.

A wide body moves over a grid of its own: the squares where its upper left corner can be, each with what it costs to
put it there. On that grid it is a single square, so that everything that finds ways for single squares finds its ways.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from combatlog.rules.engine.grid import DIFFICULT, FLOOR, TIGHT, WALL, Grid
from ledger.events import Position

_BY_COST = (WALL, FLOOR, DIFFICULT, TIGHT)


def block(place: Position, across: int, down: int) -> list[Position]:
    """The squares of a rectangle, row by row."""
    x, y = place
    return [(x + dx, y + dy) for dy in range(down) for dx in range(across)]


def steps_apart(one: Position, wide: int, other: Position, other_wide: int) -> int:
    """The number of steps between the nearest squares of two square bodies; 0 if they overlap."""
    (x, y), (other_x, other_y) = one, other
    across = max(other_x - (x + wide - 1), x - (other_x + other_wide - 1), 0)
    return max(across, other_y - (y + wide - 1), y - (other_y + other_wide - 1))


def around(place: Position, wide: int, steps: int, own: int) -> list[Position]:
    """The places from which a body, so wide itself, is at most so many steps away from another."""
    span = range(1 - own - steps, wide + steps)
    return [(place[0] + x, place[1] + y) for y in span for x in span]


@lru_cache(maxsize=64)
def grid_for(grid: Grid, wide: int) -> Grid:
    """The grid of a square body that squeezes, at a price, where only one that is a square narrower has room."""
    import numpy as np

    costs = np.asarray(grid.entering)
    full, tight = _dearest(costs, wide), _dearest(costs, wide - 1)
    found = np.where(full > 0, full, np.where(tight > 0, tight + 1, 0))
    return Grid(tuple("".join(_BY_COST[min(cost, 3)] for cost in row) for row in found.tolist()))


def _dearest(costs: Any, wide: int) -> Any:
    """By the place of a body: the highest cost under it; 0 if it cannot be there."""
    import numpy as np

    padded = np.pad(costs, ((0, wide - 1), (0, wide - 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (wide, wide))
    return np.where(windows.min(axis=(2, 3)) > 0, windows.max(axis=(2, 3)), 0)


def barring(grid: Grid, taken: Collection[Position], wide: int) -> tuple[list[Position], list[Position]]:
    """The places of a body that others' squares bar to it, and those where it has to squeeze past them."""
    if wide == 1:
        return list(taken), []
    barred = set(places_over(grid, taken, wide - 1))
    return sorted(barred), [place for place in places_over(grid, taken, wide) if place not in barred]


def places_over(grid: Grid, squares: Collection[Position], wide: int) -> list[Position]:
    """The places at which a body covers any of these squares."""
    if wide == 1:
        return list(squares)
    return list(dict.fromkeys(place for square in squares for place in _over(square, wide) if place in grid))


def _over(square: Position, wide: int) -> Iterator[Position]:
    x, y = square
    return ((x - dx, y - dy) for dy in range(wide) for dx in range(wide))
