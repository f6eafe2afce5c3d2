"""A fight behind a service, from a seat that sees everything."""

from __future__ import annotations

from threading import Lock, local
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID, uuid4

from combatlog.recorded import RecordedFight
from combatlog.remote.consenting import RemoteConsent
from combatlog.remote.received import events_in, events_of
from projections.battle import Battle, fold

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence

    from combatlog.documents.dice import SharedDiceData
    from combatlog.follow import Following
    from combatlog.messages.corrections import Correction
    from combatlog.messages.message import Message
    from combatlog.remote.ledger import RemoteLedger
    from combatlog.remote.wire import Answer
    from ledger.events import Event, Face
    from ledger.seal import Seal
    from projections.views import Seat
    from rules.engine.commands import Declaration, Reply
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.outcome import Outcome
    from rules.engine.verify import Report


class RemoteFight(RemoteConsent, RecordedFight):
    """It knows the events that it has been sent, and asks for those after them whenever it is asked something."""

    ledger: RemoteLedger

    def __init__(self, ledger: RemoteLedger, id: UUID, called: str | None = None) -> None:
        """`called` is what somebody called the fight, so that a refusal can say it as well."""
        super().__init__(ledger, id)
        self.wire = ledger.wire
        self._path = ledger.path_of(called or str(id))
        self._events: list[Event] = []
        self._growing = Lock()
        self._memory = local()

    def fork(self, name: str, at: int | None = None, *, by: str = "gm", command_id: UUID | None = None) -> RemoteFight:
        answer = self.wire.post(f"{self._path}/forks", {"name": name, "at": at, "by": by}, command_id or uuid4())
        return self.ledger.opened(answer, command_id)

    def follow(self, after: int | None = None) -> Following:
        from combatlog.remote.streams import RemoteFollowing

        first = after if after is not None else self.latest(1)[-1].seq
        return self.ledger.keep(RemoteFollowing(self.wire, f"{self._path}/events", first))

    def stream(self, after: int | None = None) -> AsyncIterator[Event]:
        from combatlog.remote.streams import stream

        return stream(self.wire, f"{self._path}/events", after)

    def export_seen(self, seat: str | Seat) -> Iterator[str]:
        yield from self.wire.text(f"{self._path}/export", seat=self.seat(seat).words).splitlines()

    def verify_shown(self, lines: Iterable[str], seat: str | Seat = "gm") -> Report:
        """From one's own seat; the service says how much of the fight that seat can check."""
        from gzip import compress

        from rules.engine.shown import Shown
        from rules.engine.verify import Report

        written = list(lines)
        Shown.read(written)  # what is nothing of the kind need not be sent
        content = compress("\n".join(line.rstrip("\n") for line in written).encode())
        return Report.model_validate(self.wire.upload(f"{self._path}/verification/shown", content))

    def verify(self, seals: Sequence[Seal] = ()) -> Report:
        from rules.engine.verify import Report

        path = f"{self._path}/verification"
        if not seals:
            return Report.model_validate(self.wire.get(path))
        return Report.model_validate(self.wire.ask(path, {"seals": [seal.model_dump(mode="json") for seal in seals]}))

    def seal(self) -> Seal:
        from ledger.seal import Seal

        return Seal.model_validate(self.wire.get(f"{self._path}/seal"))

    # Where it is kept

    @property
    def battle(self) -> Battle:
        return self._in_memory().battle

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

    def send(
        self, message: Message, *, seat: str | Seat | None = None, command_id: UUID | None = None, dry_run: bool = False
    ) -> Any:
        """The service decides who may say it, and what is told."""
        from combatlog.messages.corrections import Correcting
        from combatlog.messages.requests import Consent, Overrule

        if seat is not None:
            self.seat(seat)
        if isinstance(message, Correcting):
            key = command_id or uuid4()
            plan = self.plan_as(cast("Correction", message), message.command(key))
            plan.key = key
            return plan if dry_run else self.apply(plan)
        if isinstance(message, Consent | Overrule):
            message = message.model_copy(update={"proposal": self.meant(message.proposal)})
        return self._post(message, command_id)

    def _post(self, said: Message, command: UUID | None) -> Outcome:
        """Send a command as it is. What was left to its defaults is left to the service's."""
        path, body = said.request()
        return self._record(path, body, command)

    def _record(
        self,
        path: str,
        body: Mapping[str, Any],
        command: UUID | None,
        *,
        key: UUID | None = None,
        expected: int | None = None,
    ) -> Outcome:
        """`command` is the id that somebody gave; `key` is one that was made up before."""
        answer = self.wire.post(f"{self._path}/{path}", body, command or key or uuid4(), expected=expected)
        return self._with_links(self.outcome_of(answer, command))

    def shared_dice(self) -> SharedDiceData:
        told: SharedDiceData = self.wire.get(f"{self._path}/dice")
        return told

    def outcome_of(self, answer: Answer, command: UUID | None) -> Outcome:
        """What a command led to. One that had to be sent twice is not one that somebody gave twice."""
        from rules.engine.outcome import Outcome

        repeated = answer.data["repeated"] and not (command is None and answer.attempts > 1)
        events = events_of(answer.data["events"])
        return Outcome.ending_in(self._after(events, answer.data["seq"]), () if repeated else events, repeated=repeated)

    def _after(self, new: Sequence[Event], seq: int) -> Battle:
        """The state after events that were just recorded, of which the last one is `seq`."""
        from projections.journal import copy_of

        self._take_in(new)
        if self._known < seq:
            self._ask_for_new()
        battle = self._folded(upto=seq).battle
        return copy_of(battle) if battle.seq == seq else fold(self._events[:seq])

    def state(self, at: int | None = None) -> Battle:
        return fold(self.history(at))

    def latest(self, count: int) -> list[Event]:
        return self.history()[-count:]

    def introductions(self) -> list[Event]:
        return super(RecordedFight, self).introductions()

    def history(self, upto: int | None = None) -> list[Event]:
        self._ask_for_new()
        return self._events[:upto]

    def _in_memory(self) -> FightInMemory:
        self._ask_for_new()
        return self._folded()

    # What is known of it

    @property
    def _known(self) -> int:
        return len(self._events)

    def _folded(self, upto: int | None = None) -> FightInMemory:
        """Each thread folds the events for itself, because a fight in memory changes while it is read."""
        from rules.engine.fight import Fight as FightInMemory

        fight: FightInMemory | None = getattr(self._memory, "fight", None)
        if fight is None:
            fight = self._memory.fight = FightInMemory()
        fight.take_in(self._events[len(fight.events) : upto])
        return fight

    def _ask_for_new(self) -> None:
        self._take_in(events_in(self.wire.lines(f"{self._path}/events", after=self._known)))

    def _take_in(self, events: Iterable[Event]) -> None:
        """Events come in order; those that are known already are skipped, and those too early are asked for later."""
        with self._growing:
            for event in events:
                if event.seq == self._known + 1:
                    self._events.append(event)
