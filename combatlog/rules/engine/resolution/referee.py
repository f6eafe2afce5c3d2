"""The referee records fights in the ledger and returns the outcome of each command.

Each command is one append: all of its events or none. If another writer was faster, the command is resolved again on
the new state. A repeated command does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import Self, overload
from uuid import UUID, uuid4

from combatlog.rules.engine.commands import Declaration, Opening, Reply, has_key, key_reused
from combatlog.rules.engine.corrections.fork import begin_fork
from combatlog.rules.engine.corrections.plan import Plan, made_before
from combatlog.rules.engine.dice.dice_settings import has_secret
from combatlog.rules.engine.dice.dice_sources import new_seed
from combatlog.rules.engine.naming import id_of
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine, NewDice, utc_now
from combatlog.rules.engine.resolution.session_cache import CachedFight, FightCache, SessionCache
from combatlog.rules.engine.resolution.turns import END_TURN
from ledger.errors import Conflict, name_taken
from ledger.events import Event, Face, FaceOrigin, Rolled
from ledger.registry import GENESIS
from ledger.store import encounters
from ledger.store.ledger import LedgerStore, encounter_id
from projections.battle.clock_and_map import ReactionWindow
from projections.battle.consent import is_overdue
from projections.battle.event_history import EarlierEvents
from projections.battle.fold import Battle, fold
from projections.battle.journal import copy_of
from projections.battle.snapshots import read_battle


@dataclass(frozen=True)
class Outcome(Sequence[Event]):
    """The new events of a command, in order, and the state after them."""

    events: tuple[Event, ...]
    state: Battle = field(repr=False, compare=False)
    repeated: bool = False
    """The command was already carried out, so nothing was recorded this time."""
    head: bytes | None = field(default=None, repr=False, compare=False)
    """The hash of the last of the events; None if they were not recorded just now."""

    @classmethod
    def of(cls, fight: FightEngine, new: Sequence[Event], *, repeated: bool = False, head: bytes | None = None) -> Self:
        """An outcome with a copy of the fight's state, which changes with the next command."""
        return cls.ending_in(copy_of(fight.battle), new, repeated=repeated, head=head)

    @classmethod
    def ending_in(
        cls, battle: Battle, new: Sequence[Event], *, repeated: bool = False, head: bytes | None = None
    ) -> Self:
        """An outcome with a state that will not change any more."""
        return cls(tuple(new), battle, repeated, head)

    @property
    def window(self) -> ReactionWindow | None:
        """The window that waits for an answer, if there is one."""
        return self.state.window

    @property
    def waits_for_link(self) -> bool:
        """Whether a roll of shared dice waits for a player's link."""
        return self.window is not None and self.window.is_for_dice

    def left_over(self, dice: Sequence[Face] | None) -> Sequence[Face]:
        """The given faces that the command did not need, such as damage for an attack that missed."""
        rolled = [event for event in self.events if isinstance(event, Rolled) and event.dice_source is FaceOrigin.TABLE]
        return () if self.repeated else (dice or ())[sum(len(roll.faces) for roll in rolled) :]

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self.events[index]


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """One outcome for several commands in a row."""
    events = [event for outcome in outcomes for event in outcome.events]
    last = outcomes[-1]
    repeated = outcomes[0].repeated and not events
    return Outcome.ending_in(last.state, events, repeated=repeated, head=last.head)


_ATTEMPTS = 20


class Referee:
    def __init__(
        self, ledger: LedgerStore, *, now: Callable[[], datetime] = utc_now, remembered: FightCache | None = None
    ) -> None:
        self._ledger = ledger
        self._now = now
        self._sessions = SessionCache(ledger, now, remembered if remembered is not None else FightCache())

    # Commands

    def open(self, opening: Opening, *, command: UUID | None = None) -> Outcome:
        """Open an encounter under a name that is not taken."""
        if command is not None:
            self._require_new_key(command, opening.name)
        command = command or uuid4()
        fight = FightEngine.open(opening, command, now=self._now, salt=token_hex(32))
        try:
            head = self._ledger.append(fight.events, GENESIS, seed=fight.seed)
        except Conflict:
            return self._already_open(fight.battle.name, command)
        self._sessions.recorded(CachedFight(fight, head))
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

        def declare(fight: FightEngine, command: UUID) -> list[Event]:
            return fight.declare(meant, dice=dice, replies=replies, command=command)

        return self._carry_out(reference, command, declare)

    def _in_its_round(self, reference: str, declaration: Declaration) -> Declaration:
        """Tie the end of a turn to the current round, so that it cannot end a later turn of the same combatant.

        Otherwise that could happen if someone else ends the current turn in the meantime.
        """
        if declaration.action != END_TURN or declaration.round is not None:
            return declaration
        battle = self._sessions.current(reference).fight.battle
        if battle.clock.turn != id_of(battle, declaration.actor):
            return declaration  # refused, unless the combatant's turn has begun by the time this is carried out
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

        def answer(fight: FightEngine, command: UUID) -> list[Event]:
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
        """Record the answer for a combatant whose time is up. The first caller does so; later ones are refused."""
        self._sessions.current(reference)

        def time_up(fight: FightEngine, command: UUID) -> list[Event]:
            return fight.time_up(dice=dice, by=by, command=command)

        return self._carry_out(reference, command, time_up)

    def _settle_overdue(self, reference: str) -> None:
        """Close an overdue window before any other command: late answers are refused.

        If that needs dice rolled at the table, the window stays open, because no one can roll them here.
        """
        if is_overdue(self._sessions.get(reference).fight.battle, self._now()):
            with suppress(Refusal):
                self.time_up(reference)

    def plan(self, reference: str, make: Callable[[FightEngine], Plan], *, command: UUID | None = None) -> Plan:
        """Plan a correction without recording anything. The plan of one that was already made does nothing."""
        for session in self._sessions.reaching_back(reference, command):
            try:
                plan = made_before(session.fight, command) or _planned(session.fight, make)
            except EarlierEvents:
                continue
            plan.repeated = plan.correction.command in session.fight.course.commands
            plan.head = session.head
            return plan
        raise AssertionError("a whole fight has no earlier events")

    def apply(self, plan: Plan) -> Outcome:
        """Apply a correction exactly as planned, in one append. Dice that it needs are rolled now."""
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
        """The outcome of a plan that no longer fits; refused unless the reason is that it was already applied."""
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
        return Outcome.of(FightEngine([*shared.events, forked], now=self._now), [forked])

    # Reading

    def battle(self, reference: str, *, at: int | None = None) -> Battle:
        """The state of an encounter now, or after the event `at`."""
        return read_battle(self._ledger, reference, at=at)

    def fight(self, reference: str) -> FightEngine:
        """The fight as it is recorded now, only for reading."""
        return self._sessions.current(reference).fight

    # Carrying out

    def _carry_out(
        self, reference: str, command: UUID | None, add: Callable[[FightEngine, UUID], list[Event]]
    ) -> Outcome:
        encounter = encounter_id(reference)
        with self._ledger.turn(encounter):
            for _ in range(_ATTEMPTS):
                with self._turn_among_processes(encounter):
                    outcome = self._attempt(reference, command, add)
                if outcome is not None:
                    return outcome
        raise Conflict

    def _turn_among_processes(self, encounter: UUID) -> AbstractContextManager[None]:
        """Lock a contested encounter: otherwise a faster writer could win again and again."""
        session = self._sessions.remembered.get(encounter)
        return self._ledger.recorder.lock(encounter) if session and session.contested else nullcontext()

    def _attempt(
        self, reference: str, command: UUID | None, add: Callable[[FightEngine, UUID], list[Event]]
    ) -> Outcome | None:
        """Resolve and record a command; None if it has to be resolved again, because the fight has more events."""
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
        except EarlierEvents:
            self._sessions.further(session)
            return None
        try:
            session.head = self._ledger.append(new, session.head)
        except Conflict:
            session.contested, session.unrecorded = True, len(new)
            return None
        except BaseException:
            # The fight in memory is ahead of the ledger, so it must be read again before its next use.
            self._sessions.remembered.forget(session.encounter)
            raise
        self._sessions.recorded(session)
        return Outcome.of(fight, new, head=session.head)

    def _require_new_key(self, command: UUID, name: str) -> None:
        """Refuse to open an encounter with a key that already opened another one."""
        if not has_key(command):
            return
        begins = f'"command":"{str(command)[:18]}'
        if set(encounters.encounters_mentioning(self._ledger.recorder, begins)) - {encounter_id(name)}:
            raise key_reused()

    def _already_open(self, name: str, command: UUID) -> Outcome:
        fight = self._sessions.get(name).fight
        known = (fight.battle.fork or fight.battle.encounter).command
        if known != command:
            raise key_reused() if has_key(command) and known.bytes[:8] == command.bytes[:8] else name_taken(name)
        return Outcome.of(fight, (), repeated=True)


def _planned(fight: FightEngine, make: Callable[[FightEngine], Plan]) -> Plan:
    """The plan, without the faces of committed dice that were never rolled."""

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
