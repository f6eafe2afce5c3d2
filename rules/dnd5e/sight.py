"""Line of sight and cover: how walls and bodies get in the way."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.state import is_blinded, is_concealed, is_dead
from rules.engine.grid import WALL, Grid, distance, grid_of

HALF_COVER = 2
THREE_QUARTERS_COVER = 5

_FINE = 10
"""How many points wide a square is when lines are drawn from corner to corner."""
_CORNERS = ((0, 0), (_FINE, 0), (0, _FINE), (_FINE, _FINE))


@lru_cache(maxsize=4096)
def visible_from(grid: Grid, place: Position) -> Any:
    """Which squares are visible from a place, as rows of booleans. Walls are not."""
    import numpy as np
    from tcod import libtcodpy
    from tcod.map import compute_fov

    open_squares = np.array([[square != WALL for square in row] for row in grid.rows])
    seen = compute_fov(
        open_squares, (place[1], place[0]), light_walls=False, algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST
    )
    return seen & open_squares


def in_line_of_sight(grid: Grid, one: Position, other: Position) -> bool:
    """Whether any line from a corner of one square to a corner of the other is clear."""
    return blocked_lines(grid, one, other) < len(_CORNERS)


def has_line(battle: Battle, one: Combatant, other: Combatant) -> bool:
    """Whether nothing solid stands between the two; without positions, nothing does."""
    if one.position is None or other.position is None:
        return True
    return in_line_of_sight(grid_of(battle.encounter.map), one.position, other.position)


def can_see(battle: Battle, viewer: Combatant, other: Combatant) -> bool:
    return not is_blinded(viewer) and not is_concealed(other) and has_line(battle, viewer, other)


def cover(battle: Battle, attacker: Combatant, target: Combatant) -> int:
    """What cover adds to the target's armour class: 0, 2 for half cover or 5 for three-quarters cover.

    Lines go from the attacker's best corner to each of the target's corners. If walls block one or two of them, the
    target has half cover; if they block three or four, three-quarters cover. A creature in the way is half cover.
    """
    here, there = attacker.position, target.position
    if here is None or there is None or distance(here, there) <= 1:
        return 0
    grid = grid_of(battle.encounter.map)
    blocked = blocked_lines(grid, here, there)
    if blocked >= 3:
        return THREE_QUARTERS_COVER
    return HALF_COVER if blocked or _body_between(battle, here, there) else 0


def _walls_between(grid: Grid, one: Position, other: Position) -> bool:
    left, right = sorted((one[0], other[0]))
    top, bottom = sorted((one[1], other[1]))
    return any(WALL in row[left : right + 1] for row in grid.rows[top : bottom + 1])


@lru_cache(maxsize=16384)
def blocked_lines(grid: Grid, here: Position, there: Position) -> int:
    """How many of the four lines from the best corner of one square to the corners of the other hit a wall."""
    if not _walls_between(grid, here, there):
        return 0
    import numpy as np

    columns, rows, firsts = _lines(there[0] - here[0], there[1] - here[1])
    is_solid = grid.solid[rows + (here[1] + 1), columns + (here[0] + 1)].all(axis=0)
    blocked = np.logical_or.reduceat(is_solid, firsts)
    return int(blocked.reshape(len(_CORNERS), len(_CORNERS)).sum(axis=1).min())


@lru_cache(maxsize=2048)
def _lines(right: int, down: int) -> tuple[Any, Any, list[int]]:
    """The lines from each corner of a square to each corner of another, so many squares to the right and down.

    Columns and rows, seen from the first square, of the up to four squares that each point belongs to: a point on the
    edge of a square belongs to both sides. Then the index of each line's first point.
    """
    import numpy as np
    from tcod.los import bresenham

    ends = [(right * _FINE + x, down * _FINE + y) for x, y in _CORNERS]
    lines = [bresenham(start, end) for start in _CORNERS for end in ends]
    firsts = [0, *np.cumsum([len(line) for line in lines])[:-1].tolist()]
    (before_x, before_y), (x, y) = (np.concatenate(lines).T - 1) // _FINE, np.concatenate(lines).T // _FINE
    return np.array([before_x, x, before_x, x]), np.array([before_y, before_y, y, y]), firsts


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
