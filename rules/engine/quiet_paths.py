"""Among the shortest paths to a square, one that provokes as few as possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ledger.events import Position
from rules.engine.grid import Ways, is_diagonal

Provoked = Callable[[Position, Position], int]
"""How many a step between two neighbouring squares provokes."""


class _Arrival(NamedTuple):
    """How a square is best reached: how many that provokes, how many diagonal steps it takes, and from where."""

    provoked: int
    diagonals: int
    before: Position


def quietest_path(ways: Ways, start: Position, goal: Position, provoked: Provoked) -> list[Position]:
    """The squares to enter in order. `ways` has to begin at the start, and there has to be a way."""
    arrivals = {start: _Arrival(0, 0, start)}
    before = _on_shortest_paths(ways, start, goal)
    for place in sorted(before, key=lambda place: (ways.cost(place), place)):
        arrivals[place] = min(_arrival(arrivals[last], last, place, provoked) for last in before[place])
    path = [goal]
    while (last := arrivals[path[-1]].before) != start:
        path.append(last)
    return path[::-1]


def _arrival(so_far: _Arrival, last: Position, place: Position, provoked: Provoked) -> _Arrival:
    diagonals = so_far.diagonals + is_diagonal(last, place)
    return _Arrival(so_far.provoked + provoked(last, place), diagonals, last)


def _on_shortest_paths(ways: Ways, start: Position, goal: Position) -> dict[Position, list[Position]]:
    """Every square of any shortest path but the start, and those that come before it on one."""
    before: dict[Position, list[Position]] = {}
    to_do = [goal]
    while to_do:
        place = to_do.pop()
        if place != start and place not in before:
            before[place] = ways.all_before(place)
            to_do += before[place]
    return before
