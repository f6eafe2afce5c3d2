"""Fights as this process knows them: the events once, what each kind of seat sees of them, and who is watching.

A seat's view is folded once and grows with the fight; an event is encoded once for all who see it alike.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic_core import to_json

from combatlog.documents.fights import status_data
from ledger.events import Event
from ledger.hashing import GENESIS
from projections.views import Onlooker, Seat
from service.problems import Refused

if TYPE_CHECKING:
    from ledger.store import Ledger as Store
    from projections.battle import Battle
    from service.streams import Subscriber

MOST_TABLES = 64
"""Fights that are remembered at each desk; those that are watched stay in any case."""


class Watch:
    """What everybody who sits alike sees of a fight."""

    def __init__(self, seat: Seat, delay: int) -> None:
        self.delay = delay
        self.onlooker = Onlooker(seat)
        self.encoded: list[bytes] = []
        """As JSON, for each of the events that are seen."""
        self.subscribers: set[Subscriber] = set()
        self._taken = 0
        self._state: tuple[int, bytes] | None = None
        self._asked = b""

    @property
    def seen(self) -> list[Event]:
        return self.onlooker.seen

    @property
    def last(self) -> int:
        """The number of the last event that is seen: what the seat knows the fight's progress by."""
        return self.onlooker.last

    @property
    def battle(self) -> Battle:
        if not self.seen:
            raise Refused("seat/not-yet", "Nothing of this fight can be seen from here yet.", found=self.delay)
        return self.onlooker.battle

    def take(self, events: list[Event], now: datetime) -> None:
        """See what is new, and tell those who are watching."""
        due = now - timedelta(seconds=self.delay)
        before = len(self.encoded)
        while self._taken < len(events) and not (self.delay and events[self._taken].recorded_at > due):
            if (seen := self.onlooker.see(events[self._taken])) is not None:
                self.encoded.append(to_json(seen, exclude_none=True))
            self._taken += 1
        if self.subscribers and before < len(self.encoded):
            chunk = self.chunks(before) + self.asked()
            for subscriber in tuple(self.subscribers):
                subscriber.push(chunk)

    def is_behind(self, events: list[Event]) -> bool:
        return self._taken < len(events)

    def state(self) -> bytes:
        """The state as it is seen, as JSON."""
        if self._state is None or self._state[0] != self._taken:
            data = status_data(self.battle)
            data["seq"] = self.last
            self._state = self._taken, to_json(data)
        return self._state[1]

    def place_after(self, number: int) -> int:
        """How many of the events that are seen come up to this one, by the seat's own numbers."""
        return min(number, len(self.seen))

    def seen_of(self, recorded: Sequence[Event]) -> list[bytes]:
        """What is seen of consecutive events of the ledger, as JSON."""
        if not recorded:
            return []
        numbers = self.onlooker.numbers.recorded if not self.onlooker.seat.sees_all else range(1, len(self.seen) + 1)
        first, last = bisect_left(numbers, recorded[0].seq), bisect_right(numbers, recorded[-1].seq)
        return self.encoded[first:last]

    def chunks(self, place: int) -> bytes:
        """The events from a place on, as a stream of server-sent events has them."""
        pairs = zip(self.seen[place:], self.encoded[place:], strict=True)
        return b"".join(b"id: %d\ndata: %b\n\n" % (event.seq, data) for event, data in pairs)

    def asked(self) -> bytes:
        """Tell a player that its combatant is being asked, once for each question."""
        question = self.question()
        is_new, self._asked = question != self._asked, question
        return question if is_new else b""

    def question(self) -> bytes:
        """What the seat is being asked now, if it is."""
        window = self.onlooker.battle.window
        offer = window.waiting if window is not None else None
        if window is None or offer is None or offer.reactor not in self.onlooker.seat.combatants:
            return b""
        data = {"window": window.seq, "moment": window.moment, "reactor": offer.reactor, "reactions": offer.reactions}
        if window.binding is not None:
            data["binding"] = window.binding
        return b"event: asked\ndata: %b\n\n" % to_json(data)


class Table:
    """A fight, and everybody who sits around it."""

    def __init__(self, encounter: UUID) -> None:
        self.encounter = encounter
        self.events: list[Event] = []
        self.watches: dict[tuple[Seat, int], Watch] = {}
        self._head = GENESIS

    @property
    def seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    @property
    def is_watched(self) -> bool:
        return any(watch.subscribers for watch in self.watches.values())

    def catch_up(self, store: Store, head: int | None = None) -> None:
        """Read what was recorded since, unless the fight is known up to its `head`."""
        if head is None or head > self.seq:
            new = store.read_after(self.encounter, self.seq, self._head) if self.events else store.read(self.encounter)
            self.events += new.events
            self._head = new.head
        self.show()

    def show(self) -> None:
        """Let everybody see what they may see by now."""
        now = datetime.now(UTC)
        for watch in self.watches.values():
            watch.take(self.events, now)

    def watch(self, seat: Seat, delay: int) -> Watch:
        key = (seat, delay)
        if key not in self.watches:
            self.watches[key] = Watch(seat, delay)
            self.watches[key].take(self.events, datetime.now(UTC))
        return self.watches[key]


class Tables(OrderedDict[UUID, Table]):
    """Those that were used last, and all that are watched."""

    def at(self, encounter: UUID) -> Table:
        table = self.setdefault(encounter, Table(encounter))
        self.move_to_end(encounter)
        for known in tuple(self.values())[:-MOST_TABLES]:
            if not known.is_watched:
                del self[known.encounter]
        return table
