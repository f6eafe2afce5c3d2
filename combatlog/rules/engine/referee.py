"""The referee: keeps fights in the ledger.

Every command is one append: all of its events or none. If another writer was faster, the command is resolved again on
the new state. A command that was carried out before does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime
from secrets import token_hex
from uuid import UUID, uuid4

from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.corrections.fork import begin_fork
from combatlog.rules.engine.corrections.plan import Plan, made_before
from combatlog.rules.engine.dice import new_seed
from combatlog.rules.engine.dice_settings import has_secret
from combatlog.rules.engine.fight import Fight, NewDice, utc_now
from combatlog.rules.engine.keys import has_key, key_reused
from combatlog.rules.engine.naming import id_of
from combatlog.rules.engine.outcome import Outcome
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.remembered import Remembered, Session
from combatlog.rules.engine.sessions import Sessions
from combatlog.rules.engine.turns import END_TURN
from ledger import beginnings
from ledger.errors import Conflict, name_taken
from ledger.events import Event, Face
from ledger.hashing import GENESIS
from ledger.store import Ledger, encounter_id
from projections.battle import Battle, fold
from projections.course import Earlier
from projections.reading import read_battle
from projections.time_limits import is_overdue

_ATTEMPTS = 20


class Referee:
    def __init__(
        self, ledger: Ledger, *, now: Callable[[], datetime] = utc_now, remembered: Remembered | None = None
    ) -> None:
        self._ledger = ledger
        self._now = now
        self._sessions = Sessions(ledger, now, remembered if remembered is not None else Remembered())

    # Commands

    def open(self, opening: Opening, *, command: UUID | None = None) -> Outcome:
        """Open an encounter under a name that is not taken."""
        if command is not None:
            self._require_new_key(command, opening.name)
        command = command or uuid4()
        fight = Fight.open(opening, command, now=self._now, salt=token_hex(32))
        try:
            head = self._ledger.append(fight.events, GENESIS, seed=fight.seed)
        except Conflict:
            return self._already_open(fight.battle.name, command)
        self._sessions.recorded(Session(fight, head))
        return Outcome.of(fight, fight.events, head=head)

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
        self._settle_overdue(reference)
        meant = self._in_its_round(reference, declaration)

        def declare(fight: Fight, command: UUID) -> list[Event]:
            return fight.declare(meant, dice=dice, replies=replies, command=command)

        return self._carry_out(reference, command, declare)

    def _in_its_round(self, reference: str, declaration: Declaration) -> Declaration:
        """The end of a turn means the turn of now: if somebody else ends it meanwhile, the next one is another.

        That matters if the same combatant has the next turn as well.
        """
        if declaration.action != END_TURN or declaration.round is not None:
            return declaration
        battle = self._sessions.current(reference).fight.battle
        if battle.clock.turn != id_of(battle, declaration.actor):
            return declaration  # refused, unless it is its turn by the time that this is carried out
        return declaration.model_copy(update={"round": battle.clock.round})

    def answer(
        self,
        reference: str,
        reply: Reply,
        *,
        dice: Sequence[Face] | None = None,
        command: UUID | None = None,
    ) -> Outcome:
        """Answer the open window and record what follows."""
        self._settle_overdue(reference)

        def answer(fight: Fight, command: UUID) -> list[Event]:
            return fight.answer(reply, dice=dice, command=command)

        return self._carry_out(reference, command, answer)

    def time_up(
        self,
        reference: str,
        *,
        dice: Sequence[Face] | None = None,
        by: str | None = None,
        command: UUID | None = None,
    ) -> Outcome:
        """Record what is done for whoever did not answer in time. Whoever notices it first does; others are refused."""
        self._sessions.current(reference)

        def time_up(fight: Fight, command: UUID) -> list[Event]:
            return fight.time_up(dice=dice, by=by, command=command)

        return self._carry_out(reference, command, time_up)

    def _settle_overdue(self, reference: str) -> None:
        """Before anything else is said: whose time is up can no longer answer.

        If that needs dice of the table, nobody can roll them here, and the window stays open.
        """
        if is_overdue(self._sessions.get(reference).fight.battle, self._now()):
            with suppress(Refusal):
                self.time_up(reference)

    def plan(self, reference: str, make: Callable[[Fight], Plan], *, command: UUID | None = None) -> Plan:
        """Find out what a correction would do; nothing is recorded. One that was made before would do nothing."""
        for session in self._sessions.reaching_back(reference, command):
            try:
                plan = made_before(session.fight, command) or _planned(session.fight, make)
            except Earlier:
                continue
            plan.repeated = plan.correction.command in session.fight.course.commands
            plan.head = session.head
            return plan
        raise AssertionError("nothing comes before a whole fight")

    def apply(self, plan: Plan) -> Outcome:
        """Carry out a correction exactly as it was planned, in one append. Dice that it needs are rolled now."""
        plan.require_decided()
        before_it, before = plan.head, plan.before
        if plan.needs is not None and self._sessions.current(str(before.id)).head != before_it:
            return self._applied_before(plan.latest)
        plan = plan.complete()
        if plan.repeated:
            return Outcome.ending_in(before, (), repeated=True)
        try:
            head = self._ledger.append(plan.new, before_it)
        except Conflict as conflict:
            return self._applied_before(plan, conflict)
        except BaseException:
            self._sessions.remembered.forget(before.id)
            raise
        self._sessions.corrected(before.id, before_it, plan.new, head)
        return Outcome.ending_in(plan.after, plan.new, head=head)

    def _applied_before(self, plan: Plan, conflict: Conflict | None = None) -> Outcome:
        """The plan no longer fits: because it was carried out already, or because of something else."""
        session = self._sessions.current(str(plan.before.id))
        if not self._sessions.knows(session, plan.correction.command):
            raise moved_on() from conflict
        return Outcome.of(session.fight, (), repeated=True)

    def fork(self, reference: str, at: int | None, name: str, *, by: str, command: UUID | None = None) -> Outcome:
        """Open a new encounter that shares the past of another up to an event."""
        if command is not None:
            self._require_new_key(command, name)
        command = command or uuid4()
        stream = self._ledger.find(reference)
        seed = new_seed(has_secret(fold(stream.events[:1]).encounter.dice))
        forked = begin_fork(stream.events, at, name, by=by, command=command, now=self._now(), seed=seed)
        if self._ledger.has(forked.name):
            return self._already_open(forked.name, command)  # a shorter encounter does not have the fork's number yet
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
        return self._sessions.current(reference).fight

    # Carrying out

    def _carry_out(self, reference: str, command: UUID | None, add: Callable[[Fight, UUID], list[Event]]) -> Outcome:
        encounter = encounter_id(reference)
        with self._ledger.turn(encounter):
            for _ in range(_ATTEMPTS):
                with self._turn_among_processes(encounter):
                    outcome = self._attempt(reference, command, add)
                if outcome is not None:
                    return outcome
        raise Conflict

    def _turn_among_processes(self, encounter: UUID) -> AbstractContextManager[None]:
        """Take turns where others write as well: otherwise a quicker writer could win again and again."""
        session = self._sessions.remembered.get(encounter)
        return self._ledger.recorder.lock(encounter) if session and session.contested else nullcontext()

    def _attempt(
        self, reference: str, command: UUID | None, add: Callable[[Fight, UUID], list[Event]]
    ) -> Outcome | None:
        """Resolve and record a command; None if it has to be resolved again, because the fight is longer than that."""
        session = self._sessions.get(reference)
        fight = session.fight
        if command is not None and self._sessions.knows(session, command):
            return Outcome.of(fight, (), repeated=True)
        try:
            new = add(fight, command or uuid4())
        except Refusal:
            if self._sessions.catch_up(session).contested:
                return None  # it may be legal by now
            raise
        except Earlier:
            self._sessions.further(session)
            return None
        try:
            session.head = self._ledger.append(new, session.head)
        except Conflict:
            session.contested, session.unrecorded = True, len(new)
            return None
        except BaseException:
            # The fight is ahead of the ledger, so it is read again before it is used.
            self._sessions.remembered.forget(session.encounter)
            raise
        self._sessions.recorded(session)
        return Outcome.of(fight, new, head=session.head)

    def _require_new_key(self, command: UUID, name: str) -> None:
        """Refuse to open a second encounter with a key that opened another one."""
        if not has_key(command):
            return
        begins = f'"command":"{str(command)[:18]}'
        if set(beginnings.mentioning(self._ledger.recorder, begins)) - {encounter_id(name)}:
            raise key_reused()

    def _already_open(self, name: str, command: UUID) -> Outcome:
        fight = self._sessions.get(name).fight
        known = (fight.battle.fork or fight.battle.encounter).command
        if known != command:
            raise key_reused() if has_key(command) and known.bytes[:8] == command.bytes[:8] else name_taken(name)
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
