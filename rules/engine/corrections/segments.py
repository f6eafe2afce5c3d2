"""A history as the commands that made it: runs of events of one declaration.

A declaration that waited for an answer while the GM ruled on something is in two runs, with the ruling between them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ledger.events import Declared, Event


@dataclass(slots=True)
class Segment:
    declaration: int
    events: list[Event] = field(default_factory=list)

    @property
    def declared(self) -> Declared | None:
        """What was declared, if this is where; None where it goes on after an answer."""
        first = self.events[0]
        return first if isinstance(first, Declared) else None


def segments(events: Iterable[Event]) -> list[Segment]:
    found: list[Segment] = []
    for event in events:
        if not found or found[-1].declaration != event.declaration:
            found.append(Segment(event.declaration))
        found[-1].events.append(event)
    return found
