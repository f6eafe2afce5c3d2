"""A fight behind a service. Commands and questions are sent there, and the answers are read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from gzip import compress
from threading import Lock, local
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from combatlog.backend import GM, RecordBackend
from combatlog.messages.commands import Declare, React, TimeUp
from combatlog.messages.corrections import Correcting
from combatlog.messages.fight_questions import AboutCombatant, ExportFight, FightQuestion, ShowState
from combatlog.messages.message import Message
from combatlog.messages.requests import Auto, Consent, Fork, Overrule
from combatlog.messages.rights import Right, check_right
from combatlog.remote.http_client import HttpAnswer
from combatlog.rules.autoplay.player import AutoPlayed
from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.corrections.consent import require_open
from combatlog.rules.engine.corrections.plan import Plan, made_before
from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
from combatlog.rules.engine.resolution.fight_engine import NewDice
from combatlog.rules.engine.resolution.referee import Outcome, moved_on
from combatlog.rules.verification.seals_and_seat_records import SeatRecord
from combatlog.rules.verification.verify import VerificationReport
from combatlog.view import View
from ledger.errors import Problem
from ledger.events import Event, Face
from ledger.exchange.seal import Seal
from ledger.json_shapes import adapter
from projections.battle.fold import Battle, fold
from projections.battle.journal import copy_of
from projections.views import Seat, SeatView
from projections.views.received_events import ReceivedSeatView, battle_in, events_in, events_of

if TYPE_CHECKING:
    from combatlog.follow import Following
    from combatlog.remote.remote_ledger import RemoteLedger


class RemoteBackend(RecordBackend):
    """It keeps the events that it was sent, and asks for newer ones before it answers anything.

    A seat that sees everything gets all events, so its state is folded here, and the rules can be asked about it. Any
    other seat gets its own events, with its own numbers, and the state as it sees it.
    """

    ledger: RemoteLedger

    def __init__(self, ledger: RemoteLedger, id: UUID) -> None:
        self.ledger, self.id = ledger, id
        self.wire, self.path = ledger.wire, f"/encounters/{id}"
        self._events: list[Event] = []
        self._growing = Lock()
        self._memory = local()

    # Seats

    @property
    def own(self) -> Seat:
        """The seat of the token."""
        return self.ledger.seat.seat

    def seat(self, seat: str | Seat) -> Seat:
        own, wanted = self.own, seat if isinstance(seat, str) else seat.words
        if wanted in (GM, own.words) or wanted in own.combatants:
            return own
        if own.sees_all:
            return super().seat(seat)
        raise Problem("server/other-seat", "You see this fight from your own seat, and from no other.", seat=own.words)

    def view(self, seat: str | Seat = GM, at: int | None = None) -> RemoteView:
        return RemoteView(self, self.seat(seat), at)

    def onlooker(self, seat: Seat, at: int | None = None) -> SeatView:
        return super().onlooker(seat, at) if self.own.sees_all else ReceivedSeatView(seat, self.history(at), self._told)

    def newcomer(self, seat: Seat) -> SeatView:
        return super().newcomer(seat) if self.own.sees_all else ReceivedSeatView(seat, (), self._told)

    # Commands

    def _carry_out(self, message: Message, seat: Seat | None, key: UUID | None, *, dry_run: bool) -> Any:
        """The service decides who may send it, and what the answer tells. A dry run needs nothing but the rules."""
        if dry_run and isinstance(message, Correcting):
            key = key or uuid4()
            plan = self.plan(message, message.command(key))  # type: ignore[arg-type]
            plan.key = key
            return plan
        if dry_run:
            return super()._carry_out(message, self.own, key, dry_run=dry_run)
        if isinstance(message, Consent | Overrule) and message.proposal is None:  # its number is in the address
            last = self.view().proposal() or require_open(None)
            message = message.model_copy(update={"proposal": last.seq})
        return self._post(message, key)

    def _post(self, message: Message, key: UUID | None, expected: int | None = None) -> Any:
        """Send a message as it is. What was left to its defaults is left to the service's."""
        path, body = message.request()
        answer = self.wire.send("POST", f"{self.path}/{path}", body, key=key or uuid4(), expected=expected)
        if isinstance(message, Auto):
            return [AutoPlayed(**{**step, "events": events_of(step["events"])}) for step in answer.data["steps"]]
        if isinstance(message, Fork):
            return self.ledger.opened(answer, key)
        return self.outcome_of(answer, key if expected is None else None)

    def record(
        self,
        said: Declaration | Reply | TimeUp,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        message: Message = said if isinstance(said, TimeUp) else _as_message(said, dice, replies)
        return self._post(message, command_id)

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        """The service rolls new dice when the correction is made: the plan only says which."""
        check_right(self.own, Right.OVERSEE)
        fight = FightInMemory(self.history())
        fight.new_dice = NewDice.ELSEWHERE
        plan = made_before(fight, command) or make(fight)
        plan.repeated = plan.correction.command in fight.course.commands
        return plan

    def apply(self, plan: Plan) -> Outcome:
        plan.require_decided()
        if plan.repeated:
            return Outcome.ending_in(plan.before, (), repeated=True)
        try:
            outcome: Outcome = self._post(plan.message, plan.key, expected=plan.before.seq)
        except Problem as problem:
            raise (moved_on() if problem.code == "request/moved-on" else problem) from problem
        return outcome

    def outcome_of(self, answer: HttpAnswer, key: UUID | None) -> Outcome:
        """The outcome of a command. If only the request was repeated, the command was not."""
        repeated = answer.data["repeated"] and not (key is None and answer.attempts > 1)
        events = events_of(answer.data["events"])
        state = self._after(events, answer.data["seq"])
        kind = Outcome if self.own.sees_all else SeenOutcome
        return kind.ending_in(state, () if repeated else events, repeated=repeated)

    def _after(self, new: Sequence[Event], seq: int) -> Battle:
        """The state after events that were just recorded, of which the last one is `seq`."""
        self._take_in(new)
        if len(self._events) < seq:
            self._ask_for_new()
        if not self.own.sees_all:
            return self._told(self._events[:seq])
        battle = self._folded(upto=seq).battle
        return copy_of(battle) if battle.seq == seq else fold(self._events[:seq])

    def _told(self, seen: Sequence[Event]) -> Battle:
        """The state that the service gives after these events."""
        at = seen[-1].seq if seen else None
        return battle_in(self.wire.get(f"{self.path}/state", at=at), seen, self.own)

    # The record

    @property
    def battle(self) -> Battle:
        return self.in_memory().battle if self.own.sees_all else self.state()

    def state(self, at: int | None = None) -> Battle:
        events = self.history(at)
        return fold(events) if self.own.sees_all else self._told(events)

    def history(self, upto: int | None = None) -> list[Event]:
        self._ask_for_new()
        return self._events[:upto]

    def in_memory(self) -> FightInMemory:
        if not self.own.sees_all:
            raise Problem("server/not-seen", "This needs a seat that sees everything; yours does not.")
        self._ask_for_new()
        return self._folded()

    def follow(self, after: int | None) -> Following:
        from combatlog.remote.event_stream_client import RemoteFollowing

        first = after if after is not None else self.latest(1)[-1].seq
        return self.ledger.keep(RemoteFollowing(self.wire, f"{self.path}/events", first))

    def stream(self, after: int | None) -> AsyncIterator[Event]:
        from combatlog.remote.event_stream_client import stream

        return stream(self.wire, f"{self.path}/events", after)

    def verify(self, seals: Sequence[Seal] = ()) -> VerificationReport:
        said = {"seals": [one.to_json() for one in seals]} if seals else {}
        answer = self.wire.send("POST" if seals else "GET", f"{self.path}/verification", said)
        return VerificationReport.from_json(answer.data)

    def export_seen(self, view: View) -> Iterator[str]:
        yield from view.ask(ExportFight()).decode().splitlines()

    def verify_shown(self, lines: Iterable[str], seat: Seat) -> VerificationReport:
        """From the seat of the token; the service says how much of the fight that seat can check."""
        written = list(lines)
        SeatRecord.read(written)  # refuse before anything is sent
        content = compress("\n".join(line.rstrip("\n") for line in written).encode())
        answer = self.wire.send("POST", f"{self.path}/verification/shown", {}, file=content)
        return VerificationReport.from_json(answer.data)

    def _folded(self, upto: int | None = None) -> FightInMemory:
        """Each thread folds the events for itself, because a fight in memory changes while it is read."""
        fight: FightInMemory | None = getattr(self._memory, "fight", None)
        if fight is None:
            fight = self._memory.fight = FightInMemory()
        fight.take_in(self._events[len(fight.events) : upto])
        return fight

    def _ask_for_new(self) -> None:
        known = {"after": len(self._events)}
        answer = self.wire.send("GET", f"{self.path}/events", known, accept="application/x-ndjson")
        self._take_in(events_in(answer.content.splitlines()))

    def _take_in(self, events: Iterable[Event]) -> None:
        """Events are kept in order. Known ones are skipped; those that come too early are asked for later."""
        with self._growing:
            for event in events:
                if event.seq == len(self._events) + 1:
                    self._events.append(event)


class RemoteView(View):
    """Sends every question to the service, with the seat and the moment that are meant."""

    backend: RemoteBackend

    def ask(self, question: FightQuestion) -> Any:
        check_right(self.seat, question.needs)
        if isinstance(question, ShowState):
            return self.battle
        if isinstance(question, AboutCombatant) and "/" in question.who:  # a slash cannot be in an address
            question = question.model_copy(update={"who": self.who(question.who)})
        path, said = question.request()
        other = self.seat.words if self.seat != self.backend.own else None
        asked_with = {} if question.whole else {"seat": other, "at": self.at}
        content = self.backend.wire.send("GET", f"{self.backend.path}/{path}", {**asked_with, **said}).content
        return content if question.is_file else adapter(question.answer).validate_json(content)

    def _states(self) -> Callable[[int], Battle]:
        return super()._states() if self.backend.own.sees_all else self.backend.state


class SeenOutcome(Outcome):
    """What a seat was told of the outcome of a command."""

    def left_over(self, dice: Sequence[Face] | None) -> Sequence[Face]:
        """The seat does not see every roll, so nothing is known about unused dice."""
        return ()


def _as_message(said: Declaration | Reply, dice: Sequence[Face] | None, replies: Sequence[Reply]) -> Message:
    given = said.model_dump(exclude={"actor", "destination", "reactor", "as_seen"})
    if isinstance(said, Reply):
        return React.of(**given, who=said.reactor, dice=dice)
    return Declare.of(**given, who=said.actor, to=said.destination, dice=dice, replies=replies)
