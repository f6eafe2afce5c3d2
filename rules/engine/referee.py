"""The referee: keeps fights in the ledger.

Every command is one append: all of its events or none. If another writer was faster, the command is resolved again on
the new state. A command that was carried out before does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from uuid import UUID, uuid4

from ledger.errors import Conflict, name_taken
from ledger.events import Event, Face
from ledger.hashing import GENESIS
from ledger.store import Ledger, encounter_id
from projections.battle import Battle, fold
from projections.reading import read_battle
from rules.engine.commands import Declaration, Opening, Reply
from rules.engine.corrections.fork import begin_fork
from rules.engine.corrections.plan import Plan, made_before
from rules.engine.dice import new_seed
from rules.engine.fight import Fight, NewDice, utc_now
from rules.engine.outcome import Outcome
from rules.engine.refusal import Refusal
from rules.engine.remembered import Remembered, Session

_ATTEMPTS = 20


class Referee:
    def __init__(
        self, ledger: Ledger, *, now: Callable[[], datetime] = utc_now, remembered: Remembered | None = None
    ) -> None:
        self._ledger = ledger
        self._now = now
        self._remembered = remembered if remembered is not None else Remembered()

    # Commands

    def open(self, opening: Opening, *, command: UUID | None = None) -> Outcome:
        """Open an encounter under a name that is not taken."""
        command = command or uuid4()
        fight = Fight.open(opening, command, now=self._now)
        try:
            head = self._ledger.append(fight.events, GENESIS, seed=fight.seed)
        except Conflict:
            return self._already_open(fight.battle.name, command)
        self._remembered.used(Session(fight, head))
        return Outcome.of(fight, fight.events)

    def declare(
        self,
        reference: str,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command: UUID | None = None,
    ) -> Outcome:
        """Resolve a declaration and record what follows."""

        def declare(fight: Fight, command: UUID) -> list[Event]:
            return fight.declare(declaration, dice=dice, replies=replies, command=command)

        return self._carry_out(reference, command, declare)

    def answer(
        self,
        reference: str,
        reply: Reply,
        *,
        dice: Sequence[Face] | None = None,
        command: UUID | None = None,
    ) -> Outcome:
        """Answer the open window and record what follows."""

        def answer(fight: Fight, command: UUID) -> list[Event]:
            return fight.answer(reply, dice=dice, command=command)

        return self._carry_out(reference, command, answer)

    def plan(self, reference: str, make: Callable[[Fight], Plan], *, command: UUID | None = None) -> Plan:
        """Find out what a correction would do; nothing is recorded. One that was made before would do nothing.

        The fight it is planned on is the plan's from here on: later commands read it anew and leave the plan alone.
        """
        session = self._current(reference)
        self._remembered.forget(session.encounter)
        plan = made_before(session.fight, command) or _planned(session.fight, make)
        plan.head = session.head
        return plan

    def apply(self, plan: Plan) -> Outcome:
        """Carry out a correction exactly as it was planned, in one append. Dice that it needs are rolled now."""
        head, plan = plan.head, plan.complete()
        before = plan.before
        if plan.repeated:
            return Outcome.ending_in(before, (), repeated=True)
        try:
            self._ledger.append(plan.new, head)
        except Conflict as conflict:
            return self._applied_before(plan, conflict)
        finally:
            self._remembered.forget(before.id)
        return Outcome.ending_in(plan.after, plan.new)

    def _applied_before(self, plan: Plan, conflict: Conflict) -> Outcome:
        """The plan no longer fits: because it was carried out already, or because of something else."""
        fight = self._current(str(plan.before.id)).fight
        if plan.correction.command not in fight.battle.commands:
            raise moved_on() from conflict
        return Outcome.of(fight, (), repeated=True)

    def fork(self, reference: str, at: int | None, name: str, *, by: str, command: UUID | None = None) -> Outcome:
        """Open a new encounter that shares the past of another up to an event."""
        command = command or uuid4()
        stream = self._ledger.find(reference)
        seed = new_seed(fold(stream.events[:1]).encounter.dice)
        forked = begin_fork(stream.events, at, name, by=by, command=command, now=self._now(), seed=seed)
        shared = self._ledger.read(encounter_id(reference), upto=forked.at)
        try:
            self._ledger.append([forked], shared.head, seed=seed)
        except Conflict:
            return self._already_open(forked.name, command)
        return Outcome.of(Fight([*shared.events, forked], now=self._now), [forked])

    # Reading

    def battle(self, reference: str, *, at: int | None = None) -> Battle:
        """The state of an encounter now, or after the event `at`."""
        return read_battle(self._ledger, reference, at=at)

    def fight(self, reference: str) -> Fight:
        """The fight as it is recorded now, for reading."""
        return self._current(reference).fight

    # Sessions

    def _carry_out(self, reference: str, command: UUID | None, add: Callable[[Fight, UUID], list[Event]]) -> Outcome:
        command = command or uuid4()
        for _ in range(_ATTEMPTS):
            with self._turn(encounter_id(reference)):
                outcome = self._attempt(reference, command, add)
            if outcome is not None:
                return outcome
        raise Conflict

    def _turn(self, encounter: UUID) -> AbstractContextManager[None]:
        """Take turns where others write as well: otherwise a quicker writer could win again and again."""
        session = self._remembered.get(encounter)
        return self._ledger.recorder.lock(encounter) if session and session.contested else nullcontext()

    def _attempt(self, reference: str, command: UUID, add: Callable[[Fight, UUID], list[Event]]) -> Outcome | None:
        """Resolve and record a command; None if others have recorded something since the fight was read."""
        session = self._session(reference)
        fight = session.fight
        if command in fight.battle.commands:
            return Outcome.of(fight, (), repeated=True)
        try:
            new = add(fight, command)
        except Refusal:
            self._catch_up(session)
            if session.contested:
                return None  # it may be legal by now
            raise
        try:
            session.head = self._ledger.append(new, session.head)
        except Conflict:
            session.contested, session.unrecorded = True, len(new)
            return None
        except BaseException:
            # The fight is ahead of the ledger, so it is read again before it is used.
            self._remembered.forget(session.encounter)
            raise
        self._remembered.used(session)
        return Outcome.of(fight, new)

    def _current(self, reference: str) -> Session:
        """A session with everything that is recorded."""
        was_read_before = self._remembered.get(encounter_id(reference)) is not None
        session = self._session(reference)
        if was_read_before:
            self._catch_up(session)
        return session

    def _session(self, reference: str) -> Session:
        session = self._remembered.get(encounter_id(reference))
        if session is None:
            session = self._read(reference)
        elif session.contested:
            self._catch_up(session)
        self._remembered.used(session)
        return session

    def _read(self, reference: str) -> Session:
        stream = self._ledger.find(reference)
        fight = Fight(stream.events, now=self._now)
        fight.seed = self._ledger.seed(fight.battle.id) if fight.battle.commitment else None
        return Session(fight, stream.head)

    def _catch_up(self, session: Session) -> None:
        """Forget what was not recorded, and read what is new.

        If that fails, such as after a restore, the fight is read from its beginning when it is needed again.
        """
        try:
            self._forget_unrecorded(session)
            newer = self._ledger.read_after(session.fight.events[-1], session.head)
            session.fight.take_in(newer.events)
        except BaseException:
            self._remembered.forget(session.encounter)
            raise
        session.head = newer.head
        session.contested = bool(newer.events)
        self._remembered.used(session)

    def _forget_unrecorded(self, session: Session) -> None:
        if session.unrecorded:
            ahead = session.fight
            session.fight = Fight(ahead.events[: -session.unrecorded], now=self._now, seed=ahead.seed)
            session.unrecorded = 0

    def _already_open(self, name: str, command: UUID) -> Outcome:
        fight = self._session(name).fight
        if command not in fight.battle.commands:
            raise name_taken(name)
        return Outcome.of(fight, (), repeated=True)


def _planned(fight: Fight, make: Callable[[Fight], Plan]) -> Plan:
    """The plan without faces of committed dice that were never rolled."""

    def roll() -> Plan:
        fight.new_dice = NewDice.ROLLED
        return make(fight)

    fight.new_dice = NewDice.HIDDEN
    plan = make(fight)
    plan.roll = roll if plan.needs is not None else None
    return plan


def moved_on() -> Refusal:
    return Refusal(
        "correction/moved-on", "Something was recorded since this correction was planned; look at the new plan."
    )
