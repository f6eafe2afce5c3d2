"""The grid: a map of squares, where combatants can stand, and the cheapest way between squares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ledger.events import Position
from projections import terrain
from projections.phrases import counted
from rules.engine.refusal import Refusal

FLOOR, WALL, DIFFICULT = terrain.FLOOR, terrain.WALL, terrain.DIFFICULT
MAX_SIZE = 200
OPEN_GROUND = (FLOOR * 30,) * 30
"""The map of an encounter that was opened without one."""


@dataclass(frozen=True)
class Grid:
    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    def __contains__(self, place: Position) -> bool:
        x, y = place
        return 0 <= x < self.width and 0 <= y < self.height

    def terrain(self, place: Position) -> str:
        x, y = place
        return self.rows[y][x]

    def is_open(self, place: Position) -> bool:
        return place in self and self.terrain(place) != WALL

    def is_difficult(self, place: Position) -> bool:
        return self.terrain(place) == DIFFICULT

    @cached_property
    def solid(self) -> Any:
        """Where nobody can stand, as rows of booleans, with the squares around the map."""
        import numpy as np

        inside = np.array([[square == WALL for square in row] for row in self.rows])
        return np.pad(inside, 1, constant_values=True)

    @cached_property
    def _costs(self) -> Any:
        """The cost of entering each square in steps, by rows; 0 where nobody can go.

        A row of wall is added at the bottom, because libtcod mistakes a way over every square of a map for a loop.
        """
        import numpy as np

        weight = {FLOOR: 1, DIFFICULT: 2, WALL: 0}
        rows = [*self.rows, WALL * self.width]
        return np.array([[weight[square] for square in row] for row in rows], dtype=np.int32)

    def path(
        self,
        start: Position,
        goal: Position,
        blocked: Iterable[Position],
        *,
        slow: Iterable[Position] = (),
        diagonal: int = 101,
    ) -> list[Position]:
        """The cheapest way from start to goal, without the start itself; empty if there is none.

        A straight step costs 100, a diagonal one slightly more by default, so that among equal ways the one with fewer
        diagonals wins. Entering a slow square costs as much as difficult terrain.
        """
        return self.ways((start,), blocked, slow=slow, diagonal=diagonal).path(goal)

    def ways(
        self,
        starts: Iterable[Position],
        blocked: Iterable[Position] = (),
        *,
        slow: Iterable[Position] = (),
        diagonal: int = 101,
    ) -> Ways:
        """The cheapest ways from the nearest of some squares to any other, with the costs of `path`."""
        from tcod import path

        costs = self._costs.copy()
        for x, y in blocked:
            costs[y, x] = 0
        for x, y in slow:
            costs[y, x] = min(2, 2 * costs[y, x])
        finder = path.Pathfinder(path.SimpleGraph(cost=costs, cardinal=100, diagonal=diagonal))
        for x, y in starts:
            finder.add_root((y, x))
        return Ways(finder)


class Ways:
    """The cheapest ways from the starting squares, computed as far as anybody asks."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def path(self, goal: Position) -> list[Position]:
        """The squares to enter in order, the goal last; empty if there is no way."""
        steps = self._finder.path_to((goal[1], goal[0]))
        return [(int(x), int(y)) for y, x in steps[1:]]

    @cached_property
    def costs(self) -> list[list[int]]:
        """The cost of reaching each square, by rows; `UNREACHABLE` if there is no way."""
        costs: list[list[int]] = self.distances.tolist()
        return costs

    @cached_property
    def distances(self) -> Any:
        """The same costs as an array. It is shared: nobody changes it."""
        self._finder.resolve()
        return self._finder.distance

    @cached_property
    def _before(self) -> list[list[list[int]]]:
        self._finder.resolve()
        before: list[list[list[int]]] = self._finder.traversal.tolist()
        return before

    def before(self, goal: Position) -> Position:
        """The square that comes before another on the way to it; a start comes before itself."""
        y, x = self._before[goal[1]][goal[0]]
        return x, y

    def cost(self, goal: Position) -> int:
        return self.costs[goal[1]][goal[0]]


UNREACHABLE = 2**31 - 1


def distance(one: Position, other: Position) -> int:
    """The number of steps between two squares; a diagonal step counts as one."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def read_map(rows: Sequence[str]) -> Grid:
    """A grid from its rows, or a refusal that says what is wrong with them."""
    if not rows or not rows[0]:
        raise Refusal("map/empty", "The map is empty; it has one line per row, with . for floor and # for walls.")
    if len(rows) > MAX_SIZE or max(map(len, rows)) > MAX_SIZE:
        raise Refusal("map/too-large", f"The map is larger than {MAX_SIZE} by {MAX_SIZE} squares.", most=MAX_SIZE)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise Refusal(
                "map/ragged",
                f"Line {number} of the map has {counted(len(row), 'square')}, but the first has {len(rows[0])}; "
                "all lines have to be equally long.",
                line=number,
                found=len(row),
                needed=len(rows[0]),
            )
        for square in row:
            if square not in (FLOOR, WALL, DIFFICULT):
                raise Refusal(
                    "map/unknown-square",
                    f"Line {number} of the map has {square!r}; "
                    f"a square is {FLOOR} (floor), {WALL} (wall) or {DIFFICULT} (difficult terrain).",
                    line=number,
                    found=square,
                    available=[FLOOR, WALL, DIFFICULT],
                )
    return Grid(tuple(rows))


@cache
def grid_of(rows: tuple[str, ...] | None) -> Grid:
    """The grid of an encounter's recorded map."""
    return Grid(rows if rows is not None else OPEN_GROUND)
