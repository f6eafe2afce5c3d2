"""The ways of a figure whose base covers several spaces: straight steps and quarter turns.

It enters all spaces of a new pose at once, so whatever makes them dear counts once for each step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from heapq import heappop, heappush
from itertools import product

from combatlog.rules.skirmish.board import STRAIGHT, Board
from combatlog.rules.skirmish.footprint import Base, Pose, spaces_at
from ledger.events import Position


class LargeWays:
    """The cheapest ways from a pose, computed when somebody asks."""

    def __init__(
        self, board: Board, base: Base, start: Pose, prices: Mapping[Position, int], barred: frozenset[Position]
    ) -> None:
        self.board = board
        self.base = base
        self.start = start
        self.prices = prices
        self.barred = barred

    def path(self, goal: Pose) -> list[Pose]:
        """The poses to take in order, the goal last; empty if there is no way."""
        if goal not in self.costs:
            return []
        found = [goal]
        while (before := self._before.get(found[-1])) is not None:
            found.append(before)
        return found[-2::-1]

    @property
    def costs(self) -> dict[Pose, int]:
        """What it costs to reach each pose."""
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
        """One step or one quarter turn away."""
        for direction in STRAIGHT:
            if self._can_step(pose, direction):
                yield _shifted(pose, direction)
        yield from self._turns(pose)

    def _can_step(self, pose: Pose, direction: tuple[int, int]) -> bool:
        dx, dy = direction
        crossed = (((x, y), (x + dx, y + dy)) for x, y in spaces_at(self.base, pose))
        return all(self.board.can_step(*step) for step in crossed) and self.fits(_shifted(pose, direction))

    def _turns(self, pose: Pose) -> Iterator[Pose]:
        """Every quarter turn after which the base still covers at least half of the spaces it covered."""
        across, down = self.base
        if across == down:
            return
        old, (x, y), reach = set(spaces_at(self.base, pose)), pose.place, max(self.base)
        for dy, dx in product(range(-reach, reach + 1), repeat=2):
            after = Pose((x + dx, y + dy), not pose.turned)
            if 2 * len(old.intersection(spaces_at(self.base, after))) >= len(old) and self.fits(after):
                yield after

    def fits(self, pose: Pose) -> bool:
        """Whether the base can be put there, whoever else is there: on open spaces without a wall between them."""
        if pose not in self._fitting:
            self._fitting[pose] = fits(self.board, self.base, pose, self.barred)
        return self._fitting[pose]

    @cached_property
    def _fitting(self) -> dict[Pose, bool]:
        return {}

    def price(self, pose: Pose) -> int:
        """What it costs to enter a pose. Dear spaces count once, however many there are."""
        spaces = spaces_at(self.base, pose)
        is_difficult = any(self.board.grid.is_difficult(space) for space in spaces)
        return 1 + is_difficult + max(self.prices.get(space, 0) for space in spaces)


def fits(board: Board, base: Base, pose: Pose, barred: frozenset[Position] = frozenset()) -> bool:
    covered = spaces_at(base, pose)
    if not all(board.is_open(space) and space not in barred for space in covered):
        return False
    beside = (((x, y), other) for x, y in covered for other in ((x + 1, y), (x, y + 1)) if other in covered)
    return all(board.can_step(*pair) for pair in beside)


def _shifted(pose: Pose, direction: tuple[int, int]) -> Pose:
    (x, y), (dx, dy) = pose.place, direction
    return Pose((x + dx, y + dy), pose.turned)
