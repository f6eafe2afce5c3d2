"""Among the shortest paths to a square, one that provokes as few as possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from combatlog.rules.engine.grid import Ways, is_diagonal
from ledger.events import Position

Provoked = Callable[[Position, Position], int]
"""How many a step between two neighbouring squares provokes."""


class _Arrival(NamedTuple):
    """How a square is best reached: how many that provokes, how many diagonal steps it takes, and from where."""

    provoked: int
    diagonals: int
    before: Position


class QuietPaths:
    """The quietest paths from one square. What is found out for one goal is kept for the others."""

    def __init__(self, ways: Ways, start: Position, provoked: Provoked) -> None:
        """`ways` has to begin at the start."""
        self._ways = ways
        self._provoked = provoked
        self._arrivals = {start: _Arrival(0, 0, start)}

    def before(self, goal: Position) -> Position:
        """The square that comes before another on the path to it; the start comes before itself."""
        if goal not in self._arrivals:
            self._arrive(goal)
        return self._arrivals[goal].before

    def path(self, goal: Position) -> list[Position]:
        """The squares to enter in order. There has to be a way."""
        path, place = [], goal
        while (last := self.before(place)) != place:
            path.append(place)
            place = last
        return path[::-1]

    def _arrive(self, goal: Position) -> None:
        before = self._unknown_before(goal)
        for place in sorted(before, key=lambda place: (self._ways.cost(place), place)):
            self._arrivals[place] = min(self._arrival(last, place) for last in before[place])

    def _arrival(self, last: Position, place: Position) -> _Arrival:
        provoked, diagonals, _ = self._arrivals[last]
        return _Arrival(provoked + self._provoked(last, place), diagonals + is_diagonal(last, place), last)

    def _unknown_before(self, goal: Position) -> dict[Position, list[Position]]:
        """Every square of any shortest path that is not known yet, and those that come before it on one."""
        before: dict[Position, list[Position]] = {}
        to_do = [goal]
        while to_do:
            place = to_do.pop()
            if place not in self._arrivals and place not in before:
                before[place] = self._ways.all_before(place)
                to_do += before[place]
        return before


def quietest_path(ways: Ways, start: Position, goal: Position, provoked: Provoked) -> list[Position]:
    """The squares to enter in order. `ways` has to begin at the start, and there has to be a way."""
    return QuietPaths(ways, start, provoked).path(goal)
