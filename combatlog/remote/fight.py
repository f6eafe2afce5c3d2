"""A fight behind a service. What a seat that sees everything asks is answered here, from the events that were sent."""

from __future__ import annotations

from threading import Lock, local
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from combatlog.backend import RecordBackend
from combatlog.remote.received import events_in, events_of
from projections.battle import Battle, fold

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    from combatlog.follow import Following
    from combatlog.messages.message import Message
    from combatlog.remote.ledger import RemoteLedger
    from combatlog.remote.wire import Answer
    from combatlog.view import View
    from ledger.events import Event, Face
    from ledger.seal import Seal
    from projections.views import Seat
    from rules.engine.commands import Declaration, Reply
    from rules.engine.corrections.plan import Plan
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.outcome import Outcome
    from rules.engine.verify import Report


class RemoteBackend(RecordBackend):
    """It knows the events that it has been sent, and asks for those after them whenever it is asked something."""

    def __init__(self, ledger: RemoteLedger, id: UUID, called: str | None = None) -> None:
        """`called` is what the caller called the fight, so that a refusal can say it as well."""
        self.ledger = ledger
        self.id = id
        self.wire = ledger.wire
        self.path = ledger.path_of(called or str(id))
        self._events: list[Event] = []
        self._growing = Lock()
        self._memory = local()

    # Commands

    def send(
        self, message: Message, *, seat: str | Seat | None = None, key: UUID | None = None, dry_run: bool = False
    ) -> Any:
        """The service decides who may say it, and what is told."""
        from combatlog.messages.corrections import Correcting

        if seat is not None:
            self.seat(seat)
        if isinstance(message, Correcting):
            chosen = key or uuid4()
            plan = self.plan(message, message.command(chosen))  # type: ignore[arg-type]
            plan.key = chosen
            return plan if dry_run else self.apply(plan)
        return self._post(self._meant(message), key)

    def _meant(self, message: Message) -> Message:
        """With the proposal that it is about, which has its number in the address."""
        from combatlog.messages.requests import Consent, Overrule
        from rules.engine.corrections.consent import require_open

        if not isinstance(message, Consent | Overrule) or message.proposal is not None:
            return message
        told = self.proposals_told()
        if not told:
            require_open(None)
        return message.model_copy(update={"proposal": int(told[-1]["proposal"])})

    def proposals_told(self) -> list[dict[str, Any]]:
        """What was proposed, as the seat sees it, oldest first."""
        return list(self.wire.get(f"{self.path}/proposals"))

    def declare(
        self,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        from combatlog.messages.commands import Declare
        from combatlog.messages.message import message

        said = declaration.model_dump(exclude={"actor", "destination", "as_seen"})
        how = {"who": declaration.actor, "to": declaration.destination, "dice": dice, "replies": replies}
        return self._post(message(Declare, **said, **how), command_id)

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None, command_id: UUID | None = None) -> Outcome:
        from combatlog.messages.commands import React
        from combatlog.messages.message import message

        said = reply.model_dump(exclude={"reactor", "as_seen"})
        return self._post(message(React, who=reply.reactor, **said, dice=dice), command_id)

    def time_up(
        self, *, dice: Sequence[Face] | None = None, by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        from combatlog.messages.commands import TimeUp
        from combatlog.messages.message import message

        return self._post(message(TimeUp, dice=dice, by=by), command_id)

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        """Dice that were never rolled are the service's to roll, when the correction is made: the plan says which."""
        from rules.engine.corrections.plan import made_before
        from rules.engine.fight import Fight as FightInMemory
        from rules.engine.fight import NewDice

        fight = FightInMemory(self.history())
        fight.new_dice = NewDice.ELSEWHERE
        plan = made_before(fight, command) or make(fight)
        plan.repeated = plan.correction.command in fight.course.commands
        return plan

    def apply(self, plan: Plan) -> Outcome:
        from combatlog.messages.corrections import as_json
        from ledger.errors import Problem
        from rules.engine.outcome import Outcome
        from rules.engine.referee import moved_on

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

    def outcome_of(self, answer: Answer, key: UUID | None) -> Outcome:
        """What a command led to. One that had to be sent twice is not one that was given twice."""
        from rules.engine.outcome import Outcome

        repeated = answer.data["repeated"] and not (key is None and answer.attempts > 1)
        events = events_of(answer.data["events"])
        return Outcome.ending_in(self._after(events, answer.data["seq"]), () if repeated else events, repeated=repeated)

    def _after(self, new: Sequence[Event], seq: int) -> Battle:
        """The state after events that were just recorded, of which the last one is `seq`."""
        from projections.journal import copy_of

        self._take_in(new)
        if len(self._events) < seq:
            self._ask_for_new()
        battle = self._folded(upto=seq).battle
        return copy_of(battle) if battle.seq == seq else fold(self._events[:seq])

    # The record

    @property
    def battle(self) -> Battle:
        return self.in_memory().battle

    def state(self, at: int | None = None) -> Battle:
        return fold(self.history(at))

    def history(self, upto: int | None = None) -> list[Event]:
        self._ask_for_new()
        return self._events[:upto]

    def in_memory(self) -> FightInMemory:
        self._ask_for_new()
        return self._folded()

    def follow(self, after: int | None) -> Following:
        from combatlog.remote.streams import RemoteFollowing

        first = after if after is not None else self.latest(1)[-1].seq
        return self.ledger.keep(RemoteFollowing(self.wire, f"{self.path}/events", first))

    def stream(self, after: int | None) -> AsyncIterator[Event]:
        from combatlog.remote.streams import stream

        return stream(self.wire, f"{self.path}/events", after)

    def verify(self, seals: Sequence[Seal] = ()) -> Report:
        from rules.engine.verify import Report

        path = f"{self.path}/verification"
        if not seals:
            return Report.model_validate(self.wire.get(path))
        return Report.model_validate(self.wire.ask(path, {"seals": [seal.model_dump(mode="json") for seal in seals]}))

    def seal(self) -> Seal:
        from ledger.seal import Seal

        return Seal.model_validate(self.wire.get(f"{self.path}/seal"))

    def export_seen(self, view: View) -> Iterator[str]:
        params = {} if self.ledger.seat.seat == view.seat else {"seat": view.seat.words}
        yield from self.wire.text(f"{self.path}/export", **params).splitlines()

    def verify_shown(self, lines: Iterable[str], seat: Seat) -> Report:
        """From one's own seat; the service says how much of the fight that seat can check."""
        from gzip import compress

        from rules.engine.shown import Shown
        from rules.engine.verify import Report

        written = list(lines)
        Shown.read(written)  # what is nothing of the kind need not be sent
        content = compress("\n".join(line.rstrip("\n") for line in written).encode())
        return Report.model_validate(self.wire.upload(f"{self.path}/verification/shown", content))

    # What is known of it

    def _folded(self, upto: int | None = None) -> FightInMemory:
        """Each thread folds the events for itself, because a fight in memory changes while it is read."""
        from rules.engine.fight import Fight as FightInMemory

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
