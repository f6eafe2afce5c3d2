"""The grid: where combatants can stand, the space of large ones, and the cheapest path between squares.

The position of a large combatant is its upper left square. It moves on a derived grid: each square holds the cost of
having its upper left corner there. On that grid it takes up a single square, so the same path search works for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from combatlog.rules.engine.refusal import Refusal, choices
from ledger.events import Position
from projections.battle import clock_and_map
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted

FLOOR, WALL, DIFFICULT, SOLID = clock_and_map.FLOOR, clock_and_map.WALL, clock_and_map.DIFFICULT, clock_and_map.SOLID
OPEN_GROUND = clock_and_map.OPEN_GROUND
TIGHT = "="
"""Where a large combatant squeezes over difficult ground. Only derived grids have it; see `grid_for`."""
_WEIGHTS = {
    FLOOR: 1,
    clock_and_map.OPEN_DOOR: 1,
    **dict.fromkeys(clock_and_map.ROUGH, 2),
    TIGHT: 3,
    **dict.fromkeys((*SOLID, clock_and_map.CHASM), 0),
}
_SLOW = (*clock_and_map.ROUGH, TIGHT)
MAX_SIZE = 200
_STRAIGHT = ((0, 100, 0), (100, 0, 100), (0, 100, 0))


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
        return place in self and self.terrain(place) not in SOLID

    def is_difficult(self, place: Position) -> bool:
        return self.terrain(place) in _SLOW

    @cached_property
    def solid(self) -> Any:
        """Squares where no one can stand, as rows of booleans, with a border around the map."""
        import numpy as np

        inside = np.array([[square in SOLID for square in row] for row in self.rows])
        return np.pad(inside, 1, constant_values=True)

    @cached_property
    def _costs(self) -> Any:
        """The costs of `entering` as an array.

        A row of wall is added at the bottom, because libtcod mistakes a path over every square of a map for a loop.
        """
        import numpy as np

        return np.array([*self.entering, [0] * self.width], dtype=np.int32)

    @property
    def entering(self) -> list[list[int]]:
        """The cost of entering each square in steps, by rows; 0 if it cannot be entered."""
        return [[_WEIGHTS[square] for square in row] for row in self.rows]

    def path(
        self,
        start: Position,
        goal: Position,
        blocked: Iterable[Position],
        *,
        slow: Iterable[Position] = (),
        diagonal: int = 101,
    ) -> list[Position]:
        """The cheapest path from start to goal, without the start itself; empty if there is none.

        A straight step costs 100, a diagonal one slightly more by default, so that among equal paths the one with fewer
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
        around_corners: bool = False,
    ) -> PathSearch:
        """The cheapest paths to any square from the nearest of the starts, with the costs of `path`.

        `around_corners`: diagonal steps past the corner of a wall are not allowed.
        """
        from tcod import path

        costs = self._costs.copy()
        for x, y in blocked:
            costs[y, x] = 0
        for x, y in slow:
            costs[y, x] = max(min(2, 2 * costs[y, x]), costs[y, x])
        around_corners = around_corners and self.has_walls
        if around_corners:
            graph: Any = path.CustomGraph(costs.shape)
            graph.add_edges(edge_map=_STRAIGHT, cost=costs)
            for (x, y), is_clear in self._past_corners.items():
                graph.add_edge((y, x), diagonal, cost=costs, condition=is_clear)
        else:
            graph = path.SimpleGraph(cost=costs, cardinal=100, diagonal=diagonal)
        finder = path.Pathfinder(graph)
        for x, y in starts:
            finder.add_root((y, x))
        return PathSearch(finder, _Steps(costs, diagonal, self if around_corners else None))

    @cached_property
    def has_walls(self) -> bool:
        return any(letter in row for row in self.rows for letter in SOLID)

    @cached_property
    def has_doors(self) -> bool:
        return any(clock_and_map.DOOR in row for row in self.rows)

    def is_past_corner(self, origin: Position, to: Position) -> bool:
        """Whether a diagonal step leads past the corner of a wall."""
        if not is_diagonal(origin, to):
            return False
        return not (self.is_open((to[0], origin[1])) and self.is_open((origin[0], to[1])))

    @cached_property
    def _past_corners(self) -> dict[Position, Any]:
        """For each diagonal direction, the squares from which a step does not pass the corner of a wall."""
        import numpy as np

        is_open = np.pad(self._costs > 0, 1)
        height, width = self._costs.shape
        clear = {}
        for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            beside = is_open[1 : height + 1, 1 + x : width + 1 + x]
            above = is_open[1 + y : height + 1 + y, 1 : width + 1]
            clear[x, y] = (beside & above).astype(np.int8)
        return clear


class PathSearch:
    """The cheapest paths from the starting squares, computed on demand."""

    def __init__(self, finder: Any, steps: _Steps | None = None) -> None:
        self._finder = finder
        self._steps = steps

    def all_before(self, place: Position) -> list[Position]:
        """The neighbours that come before a square on any shortest path to it, whatever its number of diagonals."""
        assert self._steps is not None
        costs, (x, y) = self.costs, place
        columns, rows = _around(x, len(costs[0])), _around(y, len(costs))
        around = [(column, row) for row in rows for column in columns if column != x or row != y]
        cost, weight = costs[y][x], int(self._steps.weights[y, x])
        return [last for last in around if self._steps.is_shortest(costs[last[1]][last[0]], cost, weight, last, place)]

    def path(self, goal: Position) -> list[Position]:
        """The squares to enter in order, the goal last; empty if there is no path."""
        steps = self._finder.path_to((goal[1], goal[0]))
        return [(int(x), int(y)) for y, x in steps[1:]]

    @cached_property
    def costs(self) -> list[list[int]]:
        """The cost of reaching each square, by rows; `UNREACHABLE` if there is no path."""
        costs: list[list[int]] = self.distances.tolist()
        return costs

    @cached_property
    def distances(self) -> Any:
        """The same costs as an array. It is shared, so do not change it."""
        self._finder.resolve()
        return self._finder.distance

    @cached_property
    def _before(self) -> list[list[list[int]]]:
        self._finder.resolve()
        before: list[list[list[int]]] = self._finder.traversal.tolist()
        return before

    def before(self, goal: Position) -> Position:
        """The square before `goal` on the path to it; a start comes before itself."""
        y, x = self._before[goal[1]][goal[0]]
        return x, y

    def cost(self, goal: Position) -> int:
        return self.costs[goal[1]][goal[0]]


@dataclass(frozen=True, slots=True)
class _Steps:
    """The costs of single steps, to find all shortest paths."""

    weights: Any
    diagonal: int
    corners: Grid | None
    """The grid, if its corners cannot be cut; otherwise None."""

    def is_shortest(self, before: int, cost: int, weight: int, last: Position, place: Position) -> bool:
        """Whether a shortest path can end with this step. Diagonals that cost slightly more count as equally short."""
        if self.diagonal < 110:
            is_as_short = before // 100 + weight == cost // 100
        else:
            is_as_short = before + weight * (self.diagonal if is_diagonal(last, place) else 100) == cost
        return is_as_short and not (self.corners is not None and self.corners.is_past_corner(last, place))


def _around(at: int, size: int) -> range:
    return range(max(0, at - 1), min(size, at + 2))


UNREACHABLE = 2**31 - 1


def is_diagonal(origin: Position, to: Position) -> bool:
    return origin[0] != to[0] and origin[1] != to[1]


def distance(one: Position, other: Position) -> int:
    """The number of steps between two squares; a diagonal step counts as one."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def read_map(rows: Sequence[str]) -> Grid:
    """Make a grid from its rows; the refusal says what is wrong with them."""
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
            if square not in clock_and_map.TERRAIN:
                raise Refusal(
                    "map/unknown-square",
                    f"Line {number} of the map has {square!r}; "
                    f"a square is {choices(f'{letter} ({words})' for letter, words in clock_and_map.TERRAIN.items())}.",
                    line=number,
                    found=square,
                    available=list(clock_and_map.TERRAIN),
                )
    return Grid(tuple(rows))


@cache
def grid_of(rows: tuple[str, ...] | None) -> Grid:
    """The grid of an encounter's recorded map."""
    return Grid(rows if rows is not None else OPEN_GROUND)


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
    """The positions at which a body of width `own` is at most `steps` away from one of width `wide` at `place`."""
    span = range(1 - own - steps, wide + steps)
    return [(place[0] + x, place[1] + y) for y in span for x in span]


@lru_cache(maxsize=64)
def grid_for(grid: Grid, wide: int) -> Grid:
    """The grid for a square body. It can squeeze, at extra cost, where a body one square narrower has room."""
    import numpy as np

    costs = np.asarray(grid.entering)
    full, tight = _dearest(costs, wide), _dearest(costs, wide - 1)
    found = np.where(full > 0, full, np.where(tight > 0, tight + 1, 0))
    return Grid(tuple("".join(_BY_COST[min(cost, 3)] for cost in row) for row in found.tolist()))


def _dearest(costs: Any, wide: int) -> Any:
    """For each position of a body, the highest cost under it; 0 if it cannot be there."""
    import numpy as np

    padded = np.pad(costs, ((0, wide - 1), (0, wide - 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (wide, wide))
    return np.where(windows.min(axis=(2, 3)) > 0, windows.max(axis=(2, 3)), 0)


def barring(grid: Grid, taken: Collection[Position], wide: int) -> tuple[list[Position], list[Position]]:
    """The positions that are blocked for a body by taken squares, and those where it has to squeeze past them."""
    if wide == 1:
        return list(taken), []
    barred = set(places_over(grid, taken, wide - 1))
    return sorted(barred), [place for place in places_over(grid, taken, wide) if place not in barred]


def places_over(grid: Grid, squares: Collection[Position], wide: int) -> list[Position]:
    """The positions at which a body covers any of these squares."""
    if wide == 1:
        return list(squares)
    return list(dict.fromkeys(place for square in squares for place in _over(square, wide) if place in grid))


def _over(square: Position, wide: int) -> Iterator[Position]:
    x, y = square
    return ((x - dx, y - dy) for dy in range(wide) for dx in range(wide))


def require_open(battle: Battle, position: Position) -> None:
    """Refuse a square that is off the map or solid. Other combatants are not considered."""
    require_on_map(battle, position)
    if not grid_of(battle.map).is_open(position):
        x, y = position
        raise Refusal("place/wall", f"There is a wall at {x},{y}; choose an open square.", destination=position)


def require_on_map(battle: Battle, position: Position) -> None:
    grid = grid_of(battle.map)
    x, y = position
    if position not in grid:
        raise Refusal(
            "place/off-map",
            f"{x},{y} is not on the map, which has columns 0 to {grid.width - 1} and rows 0 to {grid.height - 1}.",
            destination=position,
            width=grid.width,
            height=grid.height,
        )


def taken(position: Position, occupant: Combatant) -> Refusal:
    x, y = position
    return Refusal(
        "place/occupied",
        f"{occupant.name} is at {x},{y}; choose another square.",
        destination=position,
        occupant=occupant.id,
    )
