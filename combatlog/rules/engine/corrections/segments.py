"""A history as runs of events of one declaration.

A declaration that waited for an answer while the GM made a ruling has two runs, with the ruling between them. Such runs
belong together in a cluster: what becomes of one depends on the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ledger.events import Declared, Event


@dataclass(slots=True)
class Segment:
    declaration: int
    events: list[Event] = field(default_factory=list)

    @property
    def declared(self) -> Declared | None:
        """The declaration, if the run begins with it; None if it continues one after an answer."""
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
