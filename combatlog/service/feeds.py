"""What pages are told of a fight: the document of a replay first, then what is new of it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import to_json

from combatlog.service.streams import Subscriber, push_to
from combatlog.web.document import Chronicle
from ledger.events import Data, Event
from projections.views import Seat


class Feed:
    """Pages at one kind of seat. What they are told is put together once for all of them."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.subscribers: set[Subscriber] = set()
        self._chronicle: Chronicle | None = None

    def begin(self, events: Sequence[Event], last: int, subscriber: Subscriber) -> bytes:
        """The document that a page begins with; nothing if nothing is seen yet. What is new comes after it."""
        self.subscribers.add(subscriber)
        if not last:
            return b""
        if self._chronicle is None:
            self._chronicle = Chronicle(self.seat, events)
        return _chunk(self._chronicle.document(), last)

    def take(self, events: Sequence[Event], first: int, last: int) -> None:
        """Tell the pages what is new, from a place on."""
        if not self.subscribers:
            self._chronicle = None  # nothing is kept for pages that nobody looks at
            return
        if (part := self._part(events, first) if last else None) is not None:
            push_to(tuple(self.subscribers), _chunk(part, last))

    def _part(self, events: Sequence[Event], first: int) -> Data | None:
        if self._chronicle is not None:
            return self._chronicle.take(events[first:])
        self._chronicle = Chronicle(self.seat, events)
        return self._chronicle.document()


def _chunk(part: Data, last: int) -> bytes:
    kind = b"document" if "fight" in part else b"part"
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (last, kind, to_json(part))
