"""The board: open spaces, terrain, walls between spaces, and which steps are possible.

Two spaces that touch at a corner are next to each other only if there is a free way around that corner: nobody squeezes
between two wall squares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Annotated, Any

from pydantic import Field

from combatlog.rules.engine.grid import DIFFICULT, FLOOR, SOLID, Grid, Ways, distance, grid_of
from ledger.events import Position
from projections.battle import Battle

Edge = frozenset[Position]
"""Two spaces side by side."""
Space = Annotated[str, Field(pattern=r"^\d{1,3},\d{1,3}$")]
Spaces = tuple[str, ...]
"""As the options of an encounter name them."""

AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
STRAIGHT = [(dx, dy) for dx, dy in AROUND if not (dx and dy)]
OUT_OF_REACH = 1000
"""How far away a space is that no way leads to: further than any map is wide."""
_STRAIGHT, _DIAGONAL = 100, 101
"""What a step costs, times the cost of the space: among equal ways the one with fewer diagonals wins."""


@dataclass(frozen=True)
class Board:
    grid: Grid
    walls: frozenset[Edge] = frozenset()
    blocking: frozenset[Position] = frozenset()
    """Terrain that stops steps and sight."""
    impassable: frozenset[Position] = frozenset()
    """Terrain that stops steps only."""

    @cached_property
    def bare(self) -> Board:
        """The board for those who ignore terrain: only walls count."""
        return Board(Grid(tuple(row.replace(DIFFICULT, FLOOR) for row in self.grid.rows)), self.walls)

    # Steps

    def is_open(self, space: Position) -> bool:
        """Whether one can stand on a space, whoever is there."""
        return self.grid.is_open(space) and space not in self.blocking and space not in self.impassable

    def can_step(self, start: Position, end: Position) -> bool:
        """Whether one can go from a space to the next one, whoever is there."""
        direction = (end[0] - start[0], end[1] - start[1])
        return start in self.grid and direction in self._steps and bool(self._steps[direction][start[1], start[0]])

    # Adjacency and sight

    def touch(self, one: Position, other: Position) -> bool:
        """Whether two spaces are next to each other, without a wall between them, whatever is in them."""
        dx, dy = other[0] - one[0], other[1] - one[1]
        if max(abs(dx), abs(dy)) != 1:
            return False
        if not (dx and dy):
            return self._is_no_wall_between(one, other)
        corners = ((one[0] + dx, one[1]), (one[0], one[1] + dy))
        return any(self._leads_around(one, corner, other) for corner in corners)

    def _leads_around(self, one: Position, corner: Position, other: Position) -> bool:
        ways = ((one, corner), (corner, other))
        return corner not in self.blocking and all(self._is_no_wall_between(*way) for way in ways)

    def _is_no_wall_between(self, one: Position, other: Position) -> bool:
        return self.grid.is_open(one) and self.grid.is_open(other) and frozenset({one, other}) not in self.walls

    def is_clear(self, start: Position, end: Position, opaque: Collection[Position] = ()) -> bool:
        """Whether one sees a space from another. What is in these two spaces is in nobody's way."""
        from tcod import los

        line = [(int(x), int(y)) for x, y in los.bresenham(start, end)]
        if any(space in self.blocking or space in opaque for space in line[1:-1]):
            return False
        return all(self.touch(*step) for step in pairwise(line))

    # Distance

    def spaces(self, start: Position, end: Position) -> int:
        """How many spaces away one space is from another: around walls and blocking terrain, whoever is there."""
        if self._is_plain:
            return distance(start, end)
        if start not in self._counted:
            self._counted[start] = self._count_from(start)
        return self._counted[start].get(end, OUT_OF_REACH)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether nothing is in the way of counting."""
        return not (self.walls or self.blocking or any(letter in row for row in self.grid.rows for letter in SOLID))

    @cached_property
    def _counted(self) -> dict[Position, dict[Position, int]]:
        return {}

    def _count_from(self, start: Position) -> dict[Position, int]:
        """By space: how many spaces it is from one. One counts into blocking terrain and out of it, not through it."""
        found = {start: 0}
        reached = [start]
        while reached:
            further = dict.fromkeys(space for one in reached for space in self._around(one) if space not in found)
            found |= dict.fromkeys(further, found[reached[0]] + 1)
            reached = [space for space in further if space not in self.blocking]
        return found

    def _around(self, space: Position) -> list[Position]:
        x, y = space
        return [near for dx, dy in AROUND if self.touch(space, near := (x + dx, y + dy))]

    # Ways

    @cached_property
    def _open(self) -> Any:
        import numpy as np

        rows = enumerate(self.grid.rows)
        return np.array([[self.is_open((x, y)) for x in range(len(row))] for y, row in rows])

    @cached_property
    def _steps(self) -> dict[tuple[int, int], Any]:
        """By direction: from which spaces one can take a step that way."""
        straight = {(dx, dy): self._straight(dx, dy) for dx, dy in STRAIGHT}
        return {
            (dx, dy): straight[dx, dy] if (dx, dy) in straight else _around_a_corner(straight, dx, dy)
            for dx, dy in AROUND
        }

    def _straight(self, dx: int, dy: int) -> Any:
        possible = self._open & _shifted(self._open, dx, dy)
        for x, y in (space for edge in self.walls for space in edge):
            if (x, y) in self.grid and frozenset({(x, y), (x + dx, y + dy)}) in self.walls:
                possible[y, x] = False
        return possible

    def ways(self, start: Position, extra: Mapping[Position, int], barred: Iterable[Position] = ()) -> Ways:
        """The cheapest ways from a space. Some spaces cost more, and some cannot be entered."""
        import numpy as np
        from tcod import path

        costs = np.zeros((self.grid.height + 1, self.grid.width), dtype=np.int32)  # see Grid for the row of wall
        costs[:-1] = self._open
        for x, y in self._dear:
            costs[y, x] = 2
        for (x, y), more in extra.items():
            costs[y, x] += more
        for x, y in barred:
            costs[y, x] = 0
        graph = path.CustomGraph(costs.shape)
        for (dx, dy), possible in self._edges().items():
            graph.add_edge((dy, dx), _DIAGONAL if dx and dy else _STRAIGHT, cost=costs, condition=possible)
        graph.set_heuristic(cardinal=_STRAIGHT, diagonal=_DIAGONAL)
        finder = path.Pathfinder(graph)
        finder.add_root((start[1], start[0]))
        return Ways(finder)

    @cached_property
    def _dear(self) -> list[Position]:
        rows = enumerate(self.grid.rows)
        return [(x, y) for y, row in rows for x, square in enumerate(row) if self.grid.is_difficult((x, y))]

    def _edges(self) -> dict[tuple[int, int], Any]:
        import numpy as np

        below = ((0, 1), (0, 0))
        return {way: np.pad(self._steps[way], below) for way in AROUND}


def _around_a_corner(straight: dict[tuple[int, int], Any], dx: int, dy: int) -> Any:
    """One of the two ways around has to be free."""
    sideways_first = straight[dx, 0] & _shifted(straight[0, dy], dx, 0)
    return sideways_first | (straight[0, dy] & _shifted(straight[dx, 0], 0, dy))


def _shifted(squares: Any, dx: int, dy: int) -> Any:
    """What holds at the space one step away; nothing holds beyond the map."""
    import numpy as np

    height, width = squares.shape
    return np.pad(squares, 1)[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]


def board_of(battle: Battle) -> Board:
    options = battle.encounter.options
    return _board(battle.map, *(tuple(options.get(name) or ()) for name in ("walls", *TERRAIN)))


TERRAIN = ("blocking", "impassable")


@cache
def _board(rows: tuple[str, ...] | None, walls: Spaces, blocking: Spaces, impassable: Spaces) -> Board:
    return Board(
        grid_of(rows),
        frozenset(map(read_edge, walls)),
        frozenset(map(read_space, blocking)),
        frozenset(map(read_space, impassable)),
    )


def space_ref(space: Position) -> str:
    """How a space is named where one of several is chosen."""
    return f"skirmish:space:{space[0]}_{space[1]}"


def read_edge(text: str) -> Edge:
    """Two spaces, written as `3,2|4,2`."""
    return frozenset(read_space(part) for part in text.split("|"))


def read_space(text: str) -> Position:
    x, y = text.split(",")
    return int(x), int(y)
