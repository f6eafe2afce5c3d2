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
"""Fights that each worker keeps in memory; those that are watched always stay."""


class SharedSeatView:
    """What all equal seats see of a fight."""

    def __init__(self, seat: Seat, delay: int) -> None:
        self.delay = delay
        self.onlooker = SeatView(seat)
        self.proposals = Proposals()
        self.encoded: list[bytes] = []
        """Each seen event as JSON."""
        self.subscribers: set[Subscriber] = set()
        self.pages = PageFeed(seat)
        """Streams of pages, which get documents rather than events."""
        self._taken = 0
        self._state: tuple[int, int, bytes] | None = None
        """The number of events in the ledger, the number of the last seen event, and the state as JSON."""
        self._asked: list[bytes] = []

    @property
    def seen(self) -> list[Event]:
        return self.onlooker.seen

    @property
    def last(self) -> int:
        """The number of the last event that is seen."""
        return self.onlooker.last

    @property
    def battle(self) -> Battle:
        self.require_seen()
        return self.onlooker.battle

    def require_seen(self) -> None:
        if not self.seen:
            raise Refused("seat/not-yet", "Nothing of this fight can be seen from here yet.", found=self.delay)

    def take(self, events: list[Event], now: datetime) -> None:
        """Take in new events, and send them to the streams."""
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
        """The first message of a page's stream."""
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
        """The last number and the state after an event of the ledger, if they were asked for last time.

        Any thread may call this: the known state is replaced as a whole.
        """
        known = self._state
        return known[1:] if known is not None and known[0] == seq else None

    def place_after(self, number: int) -> int:
        """The number of seen events up to this one, by the seat's own numbers."""
        return min(number, len(self.seen))

    def seen_of(self, recorded: Sequence[Event]) -> list[bytes]:
        """The seen ones of consecutive events of the ledger, as JSON."""
        if not recorded:
            return []
        numbers = self.onlooker.numbers.recorded if not self.onlooker.seat.sees_all else range(1, len(self.seen) + 1)
        first, last = bisect_left(numbers, recorded[0].seq), bisect_right(numbers, recorded[-1].seq)
        return self.encoded[first:last]

    def chunks(self, place: int) -> bytes:
        """The events from a place on, as server-sent events."""
        pairs = zip(self.seen[place:], self.encoded[place:], strict=True)
        return b"".join(b"id: %d\ndata: %b\n\n" % (event.seq, data) for event, data in pairs)

    def asked(self) -> bytes:
        """The questions to a player that are new, each once."""
        before, self._asked = self._asked, open_questions(self.onlooker, self.proposals.last)
        return b"".join(question for question in self._asked if question not in before)

    def question(self) -> bytes:
        """The open questions to the seat, for a new stream; the others have them already."""
        self._asked = open_questions(self.onlooker, self.proposals.last)
        return b"".join(self._asked)


class LiveFight:
    """A fight in memory, with the views of its seats."""

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
        """Read the events since the last known one, unless the fight is known up to its `head`."""
        if head is None or head > self.seq:
            new = store.read_after(self.encounter, self.seq, self._head) if self.events else store.read(self.encounter)
            self.events += new.events
            self._head = new.head
        self.show()

    def add(self, outcome: Outcome) -> bool:
        """Take in events that were just recorded here, without reading them; False if some are missing before them."""
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
        """Whether a combatant has not answered in time, as far as the fight is known here."""
        battle = self._whole
        return battle is not None and is_overdue(battle, now) and _open_question(battle) != self._given_up

    def give_up_on_overdue(self) -> None:
        """Do not try again to decide the window that is open now."""
        self._given_up = _open_question(self._whole)

    @property
    def _whole(self) -> Battle | None:
        """The state as a seat without delay knows it."""
        seen = (watch.onlooker.whole for watch in tuple(self.watches.values()) if watch.seen and not watch.delay)
        return next(seen, None)

    def show(self) -> None:
        """Let every seat see what it may see by now."""
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
    """The fights that were used last, and all that are watched."""

    def at(self, encounter: UUID) -> LiveFight:
        table = self.setdefault(encounter, LiveFight(encounter))
        self.move_to_end(encounter)
        for known in tuple(self.values())[:-MOST_LIVE_FIGHTS]:
            if not known.is_watched:
                del self[known.encounter]
        return table


class PageFeed:
    """The pages of equal seats. What they are sent is made once for all of them."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.subscribers: set[Subscriber] = set()
        self._chronicle: LiveDocument | None = None

    def begin(self, events: Sequence[Event], last: int, subscriber: Subscriber) -> bytes:
        """The document that a page begins with; empty if nothing is seen yet. Changes follow."""
        self.subscribers.add(subscriber)
        if not last:
            return b""
        if self._chronicle is None:
            self._chronicle = LiveDocument(self.seat, events)
        return _chunk(self._chronicle.document(), last)

    def take(self, events: Sequence[Event], first: int, last: int) -> None:
        """Send the pages what changed, from a place on."""
        if not self.subscribers:
            self._chronicle = None  # nothing is kept without pages
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
