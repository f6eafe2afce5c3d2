"""The fights that this process keeps in memory, with the view of each kind of seat and the streams that watch them.

A seat's view is folded once and grows with the fight; an event is encoded once for all seats that see it alike.
Streams carry events, questions to players, and the document that pages show.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic_core import to_json

from combatlog.rules.engine.status import asked_data, status_of
from combatlog.service.event_streams import Subscriber, push_to
from combatlog.service.problems import Refused
from combatlog.web.live_document import LiveDocument
from ledger.events import Data, Event
from ledger.registry import GENESIS
from projections.battle.consent import Proposal, Proposals, is_overdue
from projections.views import Seat, SeatView

if TYPE_CHECKING:
    from combatlog.rules.engine.resolution.referee import Outcome
    from ledger.store.ledger import LedgerStore as Store
    from projections.battle.fold import Battle


MOST_LIVE_FIGHTS = 32
"""Fights that are remembered at each desk; those that are watched stay in any case."""


class SharedSeatView:
    """What everybody who sits alike sees of a fight."""

    def __init__(self, seat: Seat, delay: int) -> None:
        self.delay = delay
        self.onlooker = SeatView(seat)
        self.proposals = Proposals()
        self.encoded: list[bytes] = []
        """As JSON, for each of the events that are seen."""
        self.subscribers: set[Subscriber] = set()
        self.pages = PageFeed(seat)
        """Those who follow what a page shows, rather than the events."""
        self._taken = 0
        self._state: tuple[int, int, bytes] | None = None
        """After how many events of the ledger, the number of the last one that is seen, and the state as JSON."""
        self._asked: list[bytes] = []

    @property
    def seen(self) -> list[Event]:
        return self.onlooker.seen

    @property
    def last(self) -> int:
        """The number of the last event that is seen: what the seat knows the fight's progress by."""
        return self.onlooker.last

    @property
    def battle(self) -> Battle:
        self.require_seen()
        return self.onlooker.battle

    def require_seen(self) -> None:
        if not self.seen:
            raise Refused("seat/not-yet", "Nothing of this fight can be seen from here yet.", found=self.delay)

    def take(self, events: list[Event], now: datetime) -> None:
        """See what is new, and tell those who are watching."""
        due = now - timedelta(seconds=self.delay)
        before, first = len(self.encoded), self._taken
        while self._taken < len(events) and not (self.delay and events[self._taken].recorded_at > due):
            self.proposals.take(events[self._taken])
            if (seen := self.onlooker.see(events[self._taken])) is not None:
                self.encoded.append(to_json(seen, exclude_none=True))
            self._taken += 1
        if self.subscribers and first < self._taken and (chunk := self.chunks(before) + self.asked()):
            push_to(tuple(self.subscribers), chunk)
        if first < self._taken:
            self.pages.take(events[: self._taken], first, self.last)

    def begin_page(self, events: Sequence[Event], subscriber: Subscriber) -> bytes:
        """What somebody is told first who follows what a page shows."""
        return self.pages.begin(events[: self._taken], self.last, subscriber)

    def is_behind(self, events: list[Event]) -> bool:
        return self._taken < len(events)

    def state(self) -> bytes:
        """The state as it is seen, as JSON."""
        if self._state is None or self._state[0] != self._taken:
            data = status_of(self.battle)
            data["seq"] = self.last
            self._state = self._taken, self.last, to_json(data)
        return self._state[2]

    def known_state(self, seq: int) -> tuple[int, bytes] | None:
        """The last number and the state after an event of the ledger, if that is what was asked for last.

        For any thread: what is known is replaced as a whole.
        """
        known = self._state
        return known[1:] if known is not None and known[0] == seq else None

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
        """Tell a player what it is asked, once for each question."""
        before, self._asked = self._asked, open_questions(self.onlooker, self.proposals.last)
        return b"".join(question for question in self._asked if question not in before)

    def question(self) -> bytes:
        """What the seat is being asked now, for somebody who begins to watch; those who watch already know."""
        self._asked = open_questions(self.onlooker, self.proposals.last)
        return b"".join(self._asked)


class LiveFight:
    """A fight, and everybody who sits around it."""

    def __init__(self, encounter: UUID) -> None:
        self.encounter = encounter
        self.events: list[Event] = []
        self.watches: dict[tuple[Seat, int], SharedSeatView] = {}
        self._head = GENESIS
        self._given_up: tuple[int, str] | None = None

    @property
    def seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    @property
    def is_watched(self) -> bool:
        return any(watch.subscribers or watch.pages.subscribers for watch in self.watches.values())

    def catch_up(self, store: Store, head: int | None = None) -> None:
        """Read what was recorded since, unless the fight is known up to its `head`."""
        if head is None or head > self.seq:
            new = store.read_after(self.encounter, self.seq, self._head) if self.events else store.read(self.encounter)
            self.events += new.events
            self._head = new.head
        self.show()

    def add(self, outcome: Outcome) -> bool:
        """Take in what was just recorded here, without reading it again; False if it does not follow what is known."""
        new = outcome.events
        if (
            outcome.head is None
            or not self.events
            or [event.seq for event in new] != [*range(self.seq + 1, self.seq + 1 + len(new))]
        ):
            return False
        self.events += new
        self._head = outcome.head
        self.show()
        return True

    def is_overdue(self, now: datetime) -> bool:
        """Whether somebody has not answered in time, as far as the fight is known here."""
        battle = self._whole
        return battle is not None and is_overdue(battle, now) and _open_question(battle) != self._given_up

    def give_up_on_overdue(self) -> None:
        """Do not try again to decide what is open now."""
        self._given_up = _open_question(self._whole)

    @property
    def _whole(self) -> Battle | None:
        """The state, as it is known to those who see it without delay."""
        seen = (watch.onlooker.whole for watch in tuple(self.watches.values()) if watch.seen and not watch.delay)
        return next(seen, None)

    def show(self) -> None:
        """Let everybody see what they may see by now."""
        now = datetime.now(UTC)
        for watch in self.watches.values():
            watch.take(self.events, now)

    def watch(self, seat: Seat, delay: int) -> SharedSeatView:
        key = (seat, delay)
        if key not in self.watches:
            self.watches[key] = SharedSeatView(seat, delay)
            self.watches[key].take(self.events, datetime.now(UTC))
        return self.watches[key]


def _open_question(battle: Battle | None) -> tuple[int, str] | None:
    window = battle.window if battle is not None else None
    waiting = window.waiting if window is not None else None
    return (window.seq, waiting.reactor) if window is not None and waiting is not None else None


class LiveFights(OrderedDict[UUID, LiveFight]):
    """Those that were used last, and all that are watched."""

    def at(self, encounter: UUID) -> LiveFight:
        table = self.setdefault(encounter, LiveFight(encounter))
        self.move_to_end(encounter)
        for known in tuple(self.values())[:-MOST_LIVE_FIGHTS]:
            if not known.is_watched:
                del self[known.encounter]
        return table


class PageFeed:
    """Pages at one kind of seat. What they are told is put together once for all of them."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.subscribers: set[Subscriber] = set()
        self._chronicle: LiveDocument | None = None

    def begin(self, events: Sequence[Event], last: int, subscriber: Subscriber) -> bytes:
        """The document that a page begins with; nothing if nothing is seen yet. What is new comes after it."""
        self.subscribers.add(subscriber)
        if not last:
            return b""
        if self._chronicle is None:
            self._chronicle = LiveDocument(self.seat, events)
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
        self._chronicle = LiveDocument(self.seat, events)
        return self._chronicle.document()


def _chunk(part: Data, last: int) -> bytes:
    kind = b"document" if "fight" in part else b"part"
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (last, kind, to_json(part))


def open_questions(onlooker: SeatView, proposal: Proposal | None) -> list[bytes]:
    """The questions that are open now, each as a message."""
    if not onlooker.seat.combatants:
        return []
    found = [*_reaction(onlooker), *_consent(onlooker, proposal)]
    return [b"event: %b\ndata: %b\n\n" % (kind, to_json(data)) for kind, data in found]


def _reaction(onlooker: SeatView) -> Iterator[tuple[bytes, dict[str, Any]]]:
    if onlooker.whole.window is None:
        return
    asked = asked_data(onlooker.battle)
    if asked is not None and asked["reactor"] in onlooker.seat.combatants:
        yield b"asked", {**asked}


def _consent(onlooker: SeatView, proposal: Proposal | None) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Which of the seat's combatants have not answered a proposal yet."""
    if proposal is None or not proposal.is_open:
        return
    waiting = [who for who in proposal.waiting if who in onlooker.seat.combatants]
    number = onlooker.numbers.of(proposal.seq)
    if waiting and number is not None:
        yield b"consent", {"proposal": number, "correction": proposal.message, "waiting": waiting}
