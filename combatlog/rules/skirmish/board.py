"""The board: open spaces, terrain, walls and possible steps; the spaces that figures cover; paths of large figures.

A large figure moves by straight steps and quarter turns. It enters all spaces of a new pose at once, so the extra cost
of difficult terrain and hostile figures counts once per step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from heapq import heappop, heappush
from itertools import pairwise, product
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from combatlog.rules.engine.grid.squares import DIFFICULT, FLOOR, SOLID, Grid, PathSearch, block, distance, grid_of
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play
from combatlog.rules.skirmish.vocabulary import TURNED
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

Edge = frozenset[Position]
"""Two orthogonally adjacent spaces."""
Space = Annotated[str, Field(pattern=r"^\d{1,3},\d{1,3}$")]
Spaces = tuple[str, ...]
"""Spaces as the options of an encounter write them."""

AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
STRAIGHT = [(dx, dy) for dx, dy in AROUND if not (dx and dy)]
OUT_OF_REACH = 1000
"""The distance to a space without a path to it: more than the width of any map."""
_STRAIGHT, _DIAGONAL = 100, 101
"""The cost of a step, times the cost of the space. Of equally short paths, the one with fewer diagonals wins."""


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
        """The board for figures that ignore terrain: only walls count."""
        return Board(Grid(tuple(row.replace(DIFFICULT, FLOOR) for row in self.grid.rows)), self.walls)

    # Steps

    def is_open(self, space: Position) -> bool:
        """Whether a figure can stand on a space, ignoring other figures."""
        return self.grid.is_open(space) and space not in self.blocking and space not in self.impassable

    def can_step(self, start: Position, end: Position) -> bool:
        """Whether a figure can step from a space to an adjacent one, ignoring other figures."""
        direction = (end[0] - start[0], end[1] - start[1])
        return start in self.grid and direction in self._steps and bool(self._steps[direction][start[1], start[0]])

    # Adjacency and sight

    def touch(self, one: Position, other: Position) -> bool:
        """Whether two spaces are adjacent without a wall between them, whatever is in them."""
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
        """Whether there is line of sight between two spaces. What is in the two spaces themselves does not block it."""
        from tcod import los

        line = [(int(x), int(y)) for x, y in los.bresenham(start, end)]
        if any(space in self.blocking or space in opaque for space in line[1:-1]):
            return False
        return all(self.touch(*step) for step in pairwise(line))

    # Distance

    def spaces(self, start: Position, end: Position) -> int:
        """The distance between two spaces, around walls and blocking terrain but not around figures."""
        if self._is_plain:
            return distance(start, end)
        if start not in self._counted:
            self._counted[start] = self._count_from(start)
        return self._counted[start].get(end, OUT_OF_REACH)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether the board has no obstacles, so that distances need no search."""
        return not (self.walls or self.blocking or any(letter in row for row in self.grid.rows for letter in SOLID))

    @cached_property
    def _counted(self) -> dict[Position, dict[Position, int]]:
        return {}

    def _count_from(self, start: Position) -> dict[Position, int]:
        """The distance of every space from this one, counted into and out of blocking terrain but not through it."""
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

    # Paths

    @cached_property
    def _open(self) -> Any:
        import numpy as np

        rows = enumerate(self.grid.rows)
        return np.array([[self.is_open((x, y)) for x in range(len(row))] for y, row in rows])

    @cached_property
    def _steps(self) -> dict[tuple[int, int], Any]:
        """By direction: the spaces from which a step in that direction is possible."""
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

    def ways(self, start: Position, extra: Mapping[Position, int], barred: Iterable[Position] = ()) -> PathSearch:
        """The cheapest paths from a space. `extra` adds to the cost of spaces; `barred` spaces cannot be entered."""
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
        return PathSearch(finder)

    @cached_property
    def _dear(self) -> list[Position]:
        rows = enumerate(self.grid.rows)
        return [(x, y) for y, row in rows for x, square in enumerate(row) if self.grid.is_difficult((x, y))]

    def _edges(self) -> dict[tuple[int, int], Any]:
        import numpy as np

        below = ((0, 1), (0, 0))
        return {way: np.pad(self._steps[way], below) for way in AROUND}


def _around_a_corner(straight: dict[tuple[int, int], Any], dx: int, dy: int) -> Any:
    """Diagonal steps: one of the two ways around the corner has to be free."""
    sideways_first = straight[dx, 0] & _shifted(straight[0, dy], dx, 0)
    return sideways_first | (straight[0, dy] & _shifted(straight[dx, 0], 0, dy))


def _shifted(squares: Any, dx: int, dy: int) -> Any:
    """For each space, the value of the space one step away; False beyond the map."""
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
    """The ref of a space that a player can choose."""
    return f"skirmish:space:{space[0]}_{space[1]}"


def read_edge(text: str) -> Edge:
    """Two spaces, written as `3,2|4,2`."""
    return frozenset(read_space(part) for part in text.split("|"))


def read_space(text: str) -> Position:
    x, y = text.split(",")
    return int(x), int(y)


Base = tuple[int, int]
"""Size in spaces, across and down."""
SMALL = (1, 1)


class Pose(NamedTuple):
    """A figure's place, and whether its base is turned 90 degrees."""

    place: Position
    turned: bool = False


def place_of(figure: Combatant) -> Position:
    if figure.position is None:
        raise Refusal("place/none", f"{figure.name} has no place on the map; a ruling can give it one.", who=figure.id)
    return figure.position


def pose_of(figure: Combatant) -> Pose:
    return Pose(place_of(figure), figure.has(TURNED))


def is_large(figure: Combatant) -> bool:
    return figure_sheet(figure).base != SMALL


def spaces_of(figure: Combatant) -> list[Position]:
    """The spaces that a figure covers."""
    return spaces_at(figure_sheet(figure).base, pose_of(figure))


def spaces_at(base: Base, pose: Pose) -> list[Position]:
    """The spaces that a base covers in a pose, row by row."""
    return block(pose.place, *(base[::-1] if pose.turned else base))


def occupant_of(battle: Battle, spaces: Iterable[Position], but: Combatant | None = None) -> Combatant | None:
    """The first figure in one of these spaces, except `but`."""
    return next(iter(occupants_of(battle, spaces, but)), None)


def occupants_of(battle: Battle, spaces: Iterable[Position], but: Combatant | None = None) -> list[Combatant]:
    wanted = set(spaces)
    others = (figure for figure in figures_in_play(battle) if but is None or figure.id != but.id)
    return [figure for figure in others if not wanted.isdisjoint(spaces_of(figure))]


class LargeFigurePaths:
    """The cheapest paths from a pose, computed when they are first needed."""

    def __init__(
        self, board: Board, base: Base, start: Pose, prices: Mapping[Position, int], barred: frozenset[Position]
    ) -> None:
        self.board = board
        self.base = base
        self.start = start
        self.prices = prices
        self.barred = barred

    def path(self, goal: Pose) -> list[Pose]:
        """The poses on the way, the goal last; empty if there is no path."""
        if goal not in self.costs:
            return []
        found = [goal]
        while (before := self._before.get(found[-1])) is not None:
            found.append(before)
        return found[-2::-1]

    @property
    def costs(self) -> dict[Pose, int]:
        """The cost of reaching each pose."""
        return self._found[0]

    @property
    def _before(self) -> dict[Pose, Pose | None]:
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[dict[Pose, int], dict[Pose, Pose | None]]:
        costs: dict[Pose, int] = {}
        before: dict[Pose, Pose | None] = {}
        waiting: list[tuple[int, int, Pose, Pose | None]] = [(0, 0, self.start, None)]
        while waiting:
            cost, steps, pose, last = heappop(waiting)
            if pose in costs:
                continue
            costs[pose], before[pose] = cost, last
            for after in self.next_to(pose):
                if after not in costs:
                    heappush(waiting, (cost + self.price(after), steps + 1, after, pose))
        return costs, before

    def next_to(self, pose: Pose) -> Iterator[Pose]:
        """The poses one step or one quarter turn away."""
        for direction in STRAIGHT:
            if self._can_step(pose, direction):
                yield _shifted_pose(pose, direction)
        yield from self._turns(pose)

    def _can_step(self, pose: Pose, direction: tuple[int, int]) -> bool:
        dx, dy = direction
        crossed = (((x, y), (x + dx, y + dy)) for x, y in spaces_at(self.base, pose))
        return all(self.board.can_step(*step) for step in crossed) and self.fits(_shifted_pose(pose, direction))

    def _turns(self, pose: Pose) -> Iterator[Pose]:
        """Every quarter turn after which the base still covers at least half of its old spaces."""
        across, down = self.base
        if across == down:
            return
        old, (x, y), reach = set(spaces_at(self.base, pose)), pose.place, max(self.base)
        for dy, dx in product(range(-reach, reach + 1), repeat=2):
            after = Pose((x + dx, y + dy), not pose.turned)
            if 2 * len(old.intersection(spaces_at(self.base, after))) >= len(old) and self.fits(after):
                yield after

    def fits(self, pose: Pose) -> bool:
        """Whether the base fits there, ignoring other figures: on open spaces without a wall between them."""
        if pose not in self._fitting:
            self._fitting[pose] = fits(self.board, self.base, pose, self.barred)
        return self._fitting[pose]

    @cached_property
    def _fitting(self) -> dict[Pose, bool]:
        return {}

    def price(self, pose: Pose) -> int:
        """The cost of entering a pose. Several expensive spaces count once."""
        spaces = spaces_at(self.base, pose)
        is_difficult = any(self.board.grid.is_difficult(space) for space in spaces)
        return 1 + is_difficult + max(self.prices.get(space, 0) for space in spaces)


def fits(board: Board, base: Base, pose: Pose, barred: frozenset[Position] = frozenset()) -> bool:
    covered = spaces_at(base, pose)
    if not all(board.is_open(space) and space not in barred for space in covered):
        return False
    beside = (((x, y), other) for x, y in covered for other in ((x + 1, y), (x, y + 1)) if other in covered)
    return all(board.can_step(*pair) for pair in beside)


def _shifted_pose(pose: Pose, direction: tuple[int, int]) -> Pose:
    (x, y), (dx, dy) = pose.place, direction
    return Pose((x + dx, y + dy), pose.turned)
