"""Split a history into segments of one declaration each, and place the events of a correction among them.

A declaration that waited for an answer while the GM made a ruling has two segments, with the ruling between them.
Together they form a cluster, because each depends on the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ledger.events import Declared, Event, Run
from projections.battle.event_history import EarlierEvents, EventHistory


@dataclass(slots=True)
class Segment:
    declaration: int
    events: list[Event] = field(default_factory=list)

    @property
    def declared(self) -> Declared | None:
        """The declaration, if the segment begins with it; None if it continues one after an answer."""
        first = self.events[0]
        return first if isinstance(first, Declared) else None


Cluster = Sequence[Segment]


def clusters(events: Iterable[Event]) -> list[Cluster]:
    found = _segments(events)
    last = {segment.declaration: number for number, segment in enumerate(found)}
    together: list[list[Segment]] = []
    end = -1
    for number, segment in enumerate(found):
        if number > end:
            together.append([])
        together[-1].append(segment)
        end = max(end, last[segment.declaration])
    return list(together)


def _segments(events: Iterable[Event]) -> list[Segment]:
    found: list[Segment] = []
    for event in events:
        if not found or found[-1].declaration != event.declaration:
            found.append(Segment(event.declaration))
        found[-1].events.append(event)
    return found


class Runs:
    """The runs of a rebase: events that it records between two declarations that stay form one run."""

    def __init__(self, recorded: EventHistory, now: EventHistory) -> None:
        self._recorded = recorded
        self._now = now
        self._ended = now.begins_after
        """The last event of the previous run."""
        self._at = 0
        """The first event of the declaration at which the current run began."""
        self._found: list[Run] = []

    def reach(self, seq: int) -> None:
        """Note that the rebase has reached the declaration that begins with this event."""
        if self._is_empty:
            self._at = seq

    @property
    def can_keep(self) -> bool:
        """Whether a declaration can stay. If runs are nested too deeply, the rest is recorded again at the end."""
        return self._is_empty or self._recorded.timeline.order.takes_more(self._predecessor)

    def keep(self) -> None:
        """Keep the declaration that was reached last, and place the events that were recorded before it."""
        if not self._is_empty:
            last = self._now.events[-1].seq
            self._found.append(Run(first=self._ended + 1, last=last, after=self._predecessor))
            self._ended = last

    def placed(self) -> tuple[Run, ...]:
        return tuple(self._found)

    @property
    def _is_empty(self) -> bool:
        return not self._now.events or self._now.events[-1].seq == self._ended

    @property
    def _predecessor(self) -> int:
        """The event before the place where the current run began, standing or not."""
        first = self._recorded.begins_after + 1
        before = self._at - 1 if self._recorded.timeline.order.is_by_number else self._before.get(self._at, 0)
        if before < first:
            raise EarlierEvents
        return before

    @cached_property
    def _before(self) -> dict[int, int]:
        """The preceding event of each event."""
        order = sorted((event.seq for event in self._recorded.events), key=self._recorded.place)
        return dict(zip(order[1:], order, strict=False))
