"""Line of sight and cover: what walls and bodies do to those who aim past them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.state import is_blinded, is_concealed, is_dead
from rules.grid import WALL, Grid, distance, grid_of

HALF_COVER = 2
THREE_QUARTERS_COVER = 5

_FINE = 10
"""A square is this many points wide when lines are drawn from corner to corner."""
_CORNERS = ((1, 1), (_FINE - 2, 1), (1, _FINE - 2), (_FINE - 2, _FINE - 2))
"""Just inside the corners, so that a line along a wall does not touch it."""


@lru_cache(maxsize=4096)
def visible_from(grid: Grid, place: Position) -> Any:
    """Which squares can be seen from a place, as rows of booleans. Walls themselves cannot."""
    import numpy as np
    from tcod import libtcodpy
    from tcod.map import compute_fov

    open_squares = np.array([[square != WALL for square in row] for row in grid.rows])
    seen = compute_fov(
        open_squares, (place[1], place[0]), light_walls=False, algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST
    )
    return seen & open_squares


def in_line_of_sight(grid: Grid, one: Position, other: Position) -> bool:
    if not _walls_between(grid, one, other):
        return True
    return bool(visible_from(grid, one)[other[1], other[0]])


def has_line(battle: Battle, one: Combatant, other: Combatant) -> bool:
    """Whether nothing solid stands between the two; where positions are not kept, nothing does."""
    if one.position is None or other.position is None:
        return True
    return in_line_of_sight(grid_of(battle.encounter.map), one.position, other.position)


def can_see(battle: Battle, viewer: Combatant, other: Combatant) -> bool:
    return not is_blinded(viewer) and not is_concealed(other) and has_line(battle, viewer, other)


def cover(battle: Battle, attacker: Combatant, target: Combatant) -> int:
    """What cover adds to the target's armour class: 0, 2 for half, 5 for three quarters.

    From the attacker's best corner a line is drawn to each of the target's: walls on one or two of them are half
    cover, on three or four three quarters. Another creature in the way is half cover.
    """
    here, there = attacker.position, target.position
    if here is None or there is None or distance(here, there) <= 1:
        return 0
    grid = grid_of(battle.encounter.map)
    blocked = _blocked_lines(grid, here, there) if _walls_between(grid, here, there) else 0
    if blocked >= 3:
        return THREE_QUARTERS_COVER
    return HALF_COVER if blocked or _body_between(battle, here, there) else 0


def _walls_between(grid: Grid, one: Position, other: Position) -> bool:
    left, right = sorted((one[0], other[0]))
    top, bottom = sorted((one[1], other[1]))
    return any(WALL in row[left : right + 1] for row in grid.rows[top : bottom + 1])


def _blocked_lines(grid: Grid, here: Position, there: Position) -> int:
    """How many of the four lines from the best corner meet a wall."""
    return min(
        sum(any(not grid.is_open(square) for square in squares) for squares in _lines(here, corner, there))
        for corner in _CORNERS
    )


def _lines(here: Position, corner: Position, there: Position) -> Iterator[list[Position]]:
    from tcod.los import bresenham

    start = (here[0] * _FINE + corner[0], here[1] * _FINE + corner[1])
    for x, y in _CORNERS:
        points = bresenham(start, (there[0] * _FINE + x, there[1] * _FINE + y)) // _FINE
        yield [(int(column), int(row)) for column, row in points]


def _body_between(battle: Battle, here: Position, there: Position) -> bool:
    bodies = [
        other.position
        for other in battle.present()
        if other.position not in (None, here, there) and not is_dead(other) and _in_box(other.position, here, there)
    ]
    if not bodies:
        return False
    from tcod.los import bresenham

    way = [(int(x), int(y)) for x, y in bresenham(here, there)]
    return any(body in way for body in bodies)


def _in_box(place: Position | None, one: Position, other: Position) -> bool:
    return place is not None and all(
        min(one[axis], other[axis]) <= place[axis] <= max(one[axis], other[axis]) for axis in (0, 1)
    )
