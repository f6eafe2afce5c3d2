"""A fight as one seat sees it, event by event, and as lines of JSON that the player can keep.

Each line has an event with its proof. A proof is a hash that reveals nothing but binds the service: SHA-256 over the
salt of the event and its hash in the ledger. The salt of an event is HMAC-SHA-256 of its seq (eight bytes, big-endian)
with the fight's salt, which is in the opening event and hidden from players. With the whole log, every proof can be
computed later.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Self

from ledger.events import (
    ConditionApplied,
    Data,
    Declared,
    Event,
    InitiativeEntry,
    InitiativeSet,
    ManualResolutionNeeded,
)
from projections.battle.event_history import EventHistory
from projections.battle.fold import Battle
from projections.battle.timeline import UPHOLD
from projections.story.names import CombatantNames
from projections.views.redaction import redacted
from projections.views.seats import Seat, SeatNumbering
from projections.views.state import seen_battle
from projections.views.visibility import (
    ARRIVES_HIDDEN,
    FOR_THE_GM,
    JOIN,
    ROLL_ASIDE,
    RULE,
    SALT,
    SETTLES,
    UNREVEALED,
    Viewer,
)


class SeatView:
    """What a seat saw stays as it was seen then, even if a combatant is revealed later.

    Seats that do not see everything count the events they see, so their numbers have no gaps.
    """

    def __init__(self, seat: Seat, events: Iterable[Event] = ()) -> None:
        self.seat = seat
        self.seen: list[Event] = []
        """The events as they were seen, in the order of recording."""
        self.numbers = SeatNumbering()
        self._course = EventHistory()
        self._arriving: set[str] = set()
        self._told: set[int] = set()
        self._secret: set[int] = set()
        self._aloud: set[int] = set()
        self._known: set[str] = set()
        self._orders: list[InitiativeSet] = []
        self._order: tuple[InitiativeEntry, ...] = ()
        self._questions: dict[int, ManualResolutionNeeded] = {}
        for event in events:
            self.see(event)

    @classmethod
    def until(cls, seat: Seat, events: Iterable[Event], number: int | None) -> Self:
        """Everything up to the event with this number of the seat; everything if None."""
        onlooker = cls(seat)
        for event in events:
            onlooker.see(event)
            if number is not None and onlooker.last >= number:
                break
        return onlooker

    @property
    def whole(self) -> Battle:
        """The complete state, with everything that the seat may not see."""
        return self._course.battle

    @property
    def battle(self) -> Battle:
        """The state as the seat sees it now."""
        return seen_battle(self.whole, self.viewer, self.seat, self.numbers)

    @property
    def viewer(self) -> Viewer:
        return Viewer.at(
            self.whole,
            self.seat,
            arriving=self._arriving,
            told=self._told,
            secret=self._secret,
            aloud=self._aloud,
            order=self._order,
        )

    @property
    def waiting(self) -> int:
        """How many events a correction has yet to count again."""
        return self._course.waiting

    @property
    def sees_wait(self) -> bool:
        """Whether the seat has seen anything of the declaration that is waiting for an answer."""
        window = self.whole.window
        return window is not None and window.declaration in self._told

    @property
    def last(self) -> int:
        """The number of the last event that was seen."""
        return self.seen[-1].seq if self.seen else 0

    def recorded(self, number: int) -> int:
        """The seq in the ledger of the event with this number of the seat."""
        return number if self.seat.sees_all else self.numbers.recorded[number - 1]

    @property
    def cast(self) -> CombatantNames:
        """Every combatant that the seat has ever seen, for sentences about what it saw."""
        everybody = self.whole.combatants.values()
        known = [one for one in everybody if self.seat.sees_all or one.id in self._known]
        own = self.viewer.own
        return CombatantNames(
            names={one.id: one.name for one in known},
            sheets={one.id: one.sheet for one in known if one.id in own},
            ruleset=self.whole.opened.ruleset if self.whole.opened is not None else "",
            orders=self._orders,
        )

    def see(self, event: Event) -> Event | None:
        """Take in the next event. Returns what the seat sees of it."""
        self._order = tuple(self.whole.clock.order)
        self._course.feed(event)
        self._note_secrets(event)
        seen = event if self.seat.sees_all else self._part_of(event)
        if seen is not None:
            self._told.add(event.declaration)
            self.seen.append(seen)
            if isinstance(event, InitiativeSet):
                self._orders.append(self._order_of(event, seen.seq))
        return seen

    def _part_of(self, event: Event) -> Event | None:
        """What a seat that does not see everything sees of an event."""
        viewer = self.viewer
        self._known |= viewer.own | viewer.by_sight
        seen = redacted(event, viewer)
        return self.numbers.take(seen) if seen is not None else None

    def _order_of(self, event: InitiativeSet, number: int) -> InitiativeSet:
        viewer = self.viewer
        order = tuple(entry for entry in event.order if viewer.sees(entry.combatant))
        return event.model_copy(update={"order": order, "seq": number})

    def _is_about_unseen(self, event: Declared) -> bool:
        return any(not self.viewer.sees(target) for target in event.targets)

    def _is_secret(self, event: Declared) -> bool:
        """Rulings are for everyone, unless they say otherwise or concern what an unseen combatant did."""
        if event.action == UPHOLD:
            return _number(event, "upholds") not in self._told
        return event.options.get(FOR_THE_GM) is True or self._settles_unseen(event)

    def _settles_unseen(self, event: Declared) -> bool:
        question = self._questions.get(_number(event, SETTLES)) if event.action == RULE else None
        return question is not None and not (question.declaration in self._told and self.viewer.sees(question.subject))

    def _note_secrets(self, event: Event) -> None:
        """Only the declaration tells that a combatant joins unseen; the event that says so comes later."""
        if isinstance(event, ManualResolutionNeeded):
            self._questions[event.seq] = event
        if isinstance(event, Declared) and self._is_secret(event):
            self._secret.add(event.seq)
        elif isinstance(event, Declared) and event.action == ROLL_ASIDE and not self._is_about_unseen(event):
            self._aloud.add(event.seq)
        if isinstance(event, Declared) and event.action == JOIN and event.options.get(ARRIVES_HIDDEN):
            self._arriving.update(str(entrant["id"]) for entrant in event.options.get("entrants", ()))
        elif isinstance(event, ConditionApplied) and event.condition == UNREVEALED:
            self._arriving.discard(event.target)


def _number(event: Declared, option: str) -> int:
    """The number of an event in an option; 0 if there is none, as in a forged fight."""
    found = event.options.get(option)
    return found if isinstance(found, int) else 0


VERSION = 1
"""The version of these lines. Raise it whenever the view of the same event changes."""


def proof_of(salt: str, seq: int, hash: bytes) -> str:
    """The proof of an event, from its seq and hash in the ledger."""
    own = hmac.digest(bytes.fromhex(salt), seq.to_bytes(8, "big"), "sha256")
    return sha256(own + hash).hexdigest()


def salt_of(seen: SeatView) -> str | None:
    """The salt of the fight; None for fights that were opened before salts were introduced."""
    opened = seen.whole.opened
    return opened.options.get(SALT) if opened is not None else None


def as_shown(event: Event) -> Data:
    """An event as it is shown."""
    return event.model_dump(mode="json", exclude_none=True)


def shown_lines(seen: SeatView, hashes: Mapping[int, bytes] | None = None) -> Iterator[str]:
    """`hashes` are those of the events in the ledger, by seq."""
    battle = seen.battle
    about = {"shown": VERSION, "encounter": str(battle.id), "name": battle.name, "seat": seen.seat.words}
    yield json.dumps(about, ensure_ascii=False)
    salt = salt_of(seen) if hashes is not None else None
    for event in seen.seen:
        seq = seen.recorded(event.seq)
        proof = {"proof": proof_of(salt, seq, hashes[seq])} if salt is not None and hashes is not None else {}
        yield json.dumps({"event": as_shown(event), **proof}, ensure_ascii=False)
