"""The board: open spaces, walls between spaces, and which steps are possible.

Two spaces that touch at a corner are next to each other only if there is a free way around that corner: nobody squeezes
between two wall squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ledger.events import Position
from projections.battle import Battle
from rules.engine.grid import DIFFICULT, WALL, Grid, Ways, grid_of

Edge = frozenset[Position]
"""Two spaces side by side."""

_AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
_STRAIGHT, _DIAGONAL = 100, 101
"""What a step costs, times the cost of the space: among equal ways the one with fewer diagonals wins."""


@dataclass(frozen=True)
class Board:
    grid: Grid
    walls: frozenset[Edge] = frozenset()

    def can_step(self, start: Position, end: Position) -> bool:
        """Whether one can go from a space to the next one, whoever is there."""
        direction = (end[0] - start[0], end[1] - start[1])
        return start in self.grid and direction in self._steps and bool(self._steps[direction][start[1], start[0]])

    @cached_property
    def _open(self) -> Any:
        import numpy as np

        return np.array([[square != WALL for square in row] for row in self.grid.rows])

    @cached_property
    def _steps(self) -> dict[tuple[int, int], Any]:
        """By direction: from which spaces one can take a step that way."""
        straight = {(dx, dy): self._straight(dx, dy) for dx, dy in _AROUND if not (dx and dy)}
        return {
            (dx, dy): straight[dx, dy] if (dx, dy) in straight else _around_a_corner(straight, dx, dy)
            for dx, dy in _AROUND
        }

    def _straight(self, dx: int, dy: int) -> Any:
        possible = self._open & _shifted(self._open, dx, dy)
        for x, y in (space for edge in self.walls for space in edge):
            if frozenset({(x, y), (x + dx, y + dy)}) in self.walls:
                possible[y, x] = False
        return possible

    def ways(self, start: Position, extra: Mapping[Position, int]) -> Ways:
        """The cheapest ways from a space. Some spaces cost more."""
        import numpy as np
        from tcod import path

        costs = np.zeros((self.grid.height + 1, self.grid.width), dtype=np.int32)  # see Grid for the row of wall
        costs[:-1] = self._open
        for x, y in self._dear:
            costs[y, x] = 2
        for (x, y), more in extra.items():
            costs[y, x] += more
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
        return [(x, y) for y, row in rows for x, square in enumerate(row) if square == DIFFICULT]

    def _edges(self) -> dict[tuple[int, int], Any]:
        import numpy as np

        below = ((0, 1), (0, 0))
        return {way: np.pad(self._steps[way], below) for way in _AROUND}


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
    return _board(battle.encounter.map, tuple(battle.encounter.options.get("walls") or ()))


@cache
def _board(rows: tuple[str, ...] | None, walls: Iterable[str]) -> Board:
    return Board(grid_of(rows), frozenset(map(read_edge, walls)))


def read_edge(text: str) -> Edge:
    """Two spaces, written as `3,2|4,2`."""
    return frozenset(read_space(part) for part in text.split("|"))


def read_space(text: str) -> Position:
    x, y = text.split(",")
    return int(x), int(y)
