"""The order of events in a fight. It is that of their numbers, except for what a correction places earlier.

A correction records only what comes out differently, after everything else in the log. `places` says where it belongs,
so that what stays the same keeps its number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ledger.events import Run

Place = tuple[int, ...]
"""What events are sorted by. It begins with a number; a run that was placed after an event continues that event's."""

DEEPEST = 40
"""How many runs may be placed within one another: a correction beyond that records everything again."""


class Order:
    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._runs: list[tuple[Run, Place]] = []

    @property
    def is_by_number(self) -> bool:
        return not self._runs

    def add(self, runs: Iterable[Run], correction: int) -> None:
        """Take in the places of a correction. Nobody writes runs that overlap, so whoever did has tampered."""
        before = max(correction, self._runs[-1][0].last if self._runs else 0)
        for run in runs:
            place = self.of(run.after)
            if not before < run.first <= run.last or run.after > correction or len(place) > 2 * DEEPEST:
                raise ValueError(f"events {run.first} to {run.last} cannot be placed after event {run.after}")
            self._firsts.append(run.first)
            # Of two runs after one event, the later one comes first: it was placed right after that event.
            self._runs.append((run, (*place, -run.first)))
            before = run.last

    def of(self, seq: int) -> Place:
        at = bisect_right(self._firsts, seq) - 1
        if at >= 0 and seq <= self._runs[at][0].last:
            return (*self._runs[at][1], seq)
        return (seq,)

    def is_placed(self, seq: int) -> bool:
        return len(self.of(seq)) > 1

    def takes_more(self, seq: int) -> bool:
        """Whether something can be placed after this event."""
        return len(self.of(seq)) <= 2 * DEEPEST
