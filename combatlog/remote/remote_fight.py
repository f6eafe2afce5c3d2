"""A fight behind a service. Commands and questions are sent there, and the answers are read."""

from __future__ import annotations

from gzip import compress
from threading import Lock, local
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from combatlog.backend import GM, RecordBackend
from combatlog.messages.commands import Declare, React, TimeUp
from combatlog.messages.corrections import Correcting, as_json
from combatlog.messages.fight_questions import AboutCombatant, ExportFight, FightQuestion, SealFight, ShowState
from combatlog.messages.message import Message, message
from combatlog.messages.requests import Consent, Overrule
from combatlog.messages.rights import Right, check_right
from combatlog.remote.http_client import not_from_here
from combatlog.rules.engine.corrections.consent import require_open
from combatlog.rules.engine.corrections.plan import made_before
from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
from combatlog.rules.engine.resolution.fight_engine import NewDice
from combatlog.rules.engine.resolution.referee import Outcome, moved_on
from combatlog.rules.verification.seals_and_seat_records import SeatRecord
from combatlog.rules.verification.verify import VerificationReport
from combatlog.view import View
from ledger.errors import Problem
from ledger.json_shapes import adapter
from projections.battle.fold import Battle, fold
from projections.battle.journal import copy_of
from projections.views.received_events import ReceivedSeatView, battle_in, events_in, events_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    from combatlog.follow import Following
    from combatlog.remote.http_client import HttpAnswer
    from combatlog.remote.remote_ledger import RemoteLedger
    from combatlog.rules.engine.commands import Declaration, Reply
    from combatlog.rules.engine.corrections.plan import Plan
    from ledger.events import Event, Face
    from ledger.exchange.seal import Seal
    from projections.views import Seat, SeatView


class RemoteBackend(RecordBackend):
    """It knows the events that it has been sent, and asks for those after them whenever it is asked something.

    A seat that sees everything gets all events, so its state is folded here, and the rules can be asked about it. Any
    other seat is told its own events, with its own numbers, and the state as it sees it.
    """

    ledger: RemoteLedger

    def __init__(self, ledger: RemoteLedger, id: UUID, called: str | None = None) -> None:
        """`called` is what the caller called the fight, so that a refusal can say it as well."""
        self.ledger = ledger
        self.id = id
        self.wire = ledger.wire
        self.path = ledger.path_of(called or str(id))
        self._events: list[Event] = []
        self._growing = Lock()
        self._memory = local()

    # Seats

    @property
    def own(self) -> Seat:
        """Where one sits."""
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

    def send(
        self, message: Message, *, seat: str | Seat | None = None, key: UUID | None = None, dry_run: bool = False
    ) -> Any:
        """The service decides who may say it, and what is told. A dry run of a command needs nothing but the rules."""
        if isinstance(message, FightQuestion):
            return self.view(seat or GM).ask(message)
        if seat is not None:
            self.seat(seat)
        if isinstance(message, Correcting):
            chosen = key or uuid4()
            plan = self.plan(message, message.command(chosen))  # type: ignore[arg-type]
            plan.key = chosen
            return plan if dry_run else self.apply(plan)
        if dry_run:
            return super().send(message, seat=self.own, key=key, dry_run=True)
        return self._post(self._meant(message), key)

    def _meant(self, message: Message) -> Message:
        """With the proposal that it is about, which has its number in the address."""
        if not isinstance(message, Consent | Overrule) or message.proposal is not None:
            return message
        if (last := self.view().proposal()) is None:
            require_open(None)
        return message.model_copy(update={"proposal": last.seq if last is not None else None})

    def declare(
        self,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        said = declaration.model_dump(exclude={"actor", "destination", "as_seen"})
        how = {"who": declaration.actor, "to": declaration.destination, "dice": dice, "replies": replies}
        return self._post(message(Declare, **said, **how), command_id)

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None, command_id: UUID | None = None) -> Outcome:
        said = reply.model_dump(exclude={"reactor", "as_seen"})
        return self._post(message(React, who=reply.reactor, **said, dice=dice), command_id)

    def time_up(
        self, *, dice: Sequence[Face] | None = None, by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        return self._post(message(TimeUp, dice=dice, by=by), command_id)

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        """Dice that were never rolled are the service's to roll, when the correction is made: the plan says which."""
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
            answer = self.wire.post(
                f"{self.path}/corrections", as_json(plan.message), plan.key or uuid4(), expected=plan.before.seq
            )
        except Problem as problem:
            raise (moved_on() if problem.code == "request/moved-on" else problem) from problem
        return self.outcome_of(answer, None)

    def fork(self, name: str, at: int | None, by: str, key: UUID | None) -> Outcome:
        answer = self.wire.post(f"{self.path}/forks", {"name": name, "at": at, "by": by}, key or uuid4())
        return self.ledger.opened(answer, key).outcome  # type: ignore[return-value]

    def _post(self, said: Message, key: UUID | None) -> Outcome:
        """Send a command as it is. What was left to its defaults is left to the service's."""
        path, body = said.request()
        return self.outcome_of(self.wire.post(f"{self.path}/{path}", body, key or uuid4()), key)

    def outcome_of(self, answer: HttpAnswer, key: UUID | None) -> Outcome:
        """What a command led to. One that had to be sent twice is not one that was given twice."""
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
        """The state as it was told after these events."""
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
            raise not_from_here()
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
        path = f"{self.path}/verification"
        data = self.wire.ask(path, {"seals": [one.to_json() for one in seals]}) if seals else self.wire.get(path)
        return VerificationReport.from_json(data)

    def seal(self) -> Seal:
        seal: Seal = self.view().ask(SealFight())
        return seal

    def export_seen(self, view: View) -> Iterator[str]:
        yield from view.ask(ExportFight()).decode().splitlines()

    def verify_shown(self, lines: Iterable[str], seat: Seat) -> VerificationReport:
        """From one's own seat; the service says how much of the fight that seat can check."""
        written = list(lines)
        SeatRecord.read(written)  # what is nothing of the kind need not be sent
        content = compress("\n".join(line.rstrip("\n") for line in written).encode())
        return VerificationReport.from_json(self.wire.upload(f"{self.path}/verification/shown", content))

    # What is known of it

    def _folded(self, upto: int | None = None) -> FightInMemory:
        """Each thread folds the events for itself, because a fight in memory changes while it is read."""
        fight: FightInMemory | None = getattr(self._memory, "fight", None)
        if fight is None:
            fight = self._memory.fight = FightInMemory()
        fight.take_in(self._events[len(fight.events) : upto])
        return fight

    def _ask_for_new(self) -> None:
        self._take_in(events_in(self.wire.lines(f"{self.path}/events", after=len(self._events))))

    def _take_in(self, events: Iterable[Event]) -> None:
        """Events come in order; those that are known already are skipped, and those too early are asked for later."""
        with self._growing:
            for event in events:
                if event.seq == len(self._events) + 1:
                    self._events.append(event)


class RemoteView(View):
    """Every question is sent to the service, which is told whose eyes and which moment are meant."""

    backend: RemoteBackend

    def ask(self, question: FightQuestion) -> Any:
        check_right(self.seat, question.needs)
        if isinstance(question, ShowState):
            return self.battle
        if isinstance(question, AboutCombatant) and "/" in question.who:  # it cannot stand in an address
            question = question.model_copy(update={"who": self.who(question.who)})
        path, said = question.request()
        other = self.seat.words if self.seat != self.backend.own else None
        asked_with = {} if question.whole else {"seat": other, "at": self.at}
        content = self.backend.wire.content(f"{self.backend.path}/{path}", **{**asked_with, **said})
        return content if question.is_file else adapter(question.answer).validate_json(content)

    def _states(self) -> Callable[[int], Battle]:
        return super()._states() if self.backend.own.sees_all else self.backend.state


class SeenOutcome(Outcome):
    """What a seat was told of what a command led to."""

    def left_over(self, dice: Sequence[Face] | None) -> Sequence[Face]:
        """Which dice others rolled is not seen, so nobody here can tell which were left."""
        return ()
