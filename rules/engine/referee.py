"""The referee: keeps fights in the ledger.

Every command is one append: all of its events or none. If another writer was faster, the command is resolved again on
the new state. A command that was carried out before does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from ledger.errors import Conflict, name_taken
from ledger.events import Event, Face
from ledger.hashing import GENESIS
from ledger.store import Ledger, encounter_id
from projections.battle import Battle, fold
from projections.reading import read_battle
from projections.window import Window
from rules.engine.corrections.fork import begin_fork
from rules.engine.corrections.plan import Plan
from rules.engine.dice import new_seed
from rules.engine.fight import Declaration, Fight, Opening, Reply, utc_now
from rules.engine.refusal import Refusal

_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command led to: the new events, the state after them, and the window that waits, if there is one."""

    events: tuple[Event, ...]
    battle: Battle
    repeated: bool = False

    @property
    def window(self) -> Window | None:
        return self.battle.window


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction that was planned on the fight as it was at the time."""

    reference: str
    plan: Plan
    head: bytes


@dataclass(slots=True)
class _Session:
    """A fight as it was last read or written here, and the hash of its last recorded event."""

    fight: Fight
    head: bytes
    contested: bool = False
    """Another writer was faster last time, or has written since."""
    unrecorded: int = 0
    """How many of the fight's events are not in the ledger, because another writer was faster."""


class Referee:
    def __init__(self, ledger: Ledger, *, now: Callable[[], datetime] = utc_now) -> None:
        self._ledger = ledger
        self._now = now
        self._sessions: dict[UUID, _Session] = {}

    def open(self, opening: Opening, *, command: UUID | None = None) -> Outcome:
        """Open an encounter under a name that is not taken."""
        command = command or uuid4()
        fight = Fight.open(opening, command, now=self._now)
        try:
            head = self._ledger.append(fight.events, GENESIS, seed=fight.seed)
        except Conflict:
            return self._already_open(fight.battle.name, command)
        self._sessions[fight.battle.id] = _Session(fight, head)
        return Outcome(tuple(fight.events), fight.battle)

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

    def react(
        self,
        reference: str,
        reply: Reply,
        *,
        dice: Sequence[Face] | None = None,
        command: UUID | None = None,
    ) -> Outcome:
        """Answer the open window and record what follows."""

        def react(fight: Fight, command: UUID) -> list[Event]:
            return fight.react(reply, dice=dice, command=command)

        return self._carry_out(reference, command, react)

    def plan(self, reference: str, make: Callable[[Fight], Plan]) -> Proposal:
        """Find out what a correction would do; nothing is recorded."""
        session = self._session(reference)
        return Proposal(reference, make(session.fight), session.head)

    def apply(self, proposal: Proposal) -> Outcome:
        """Carry out a correction exactly as it was proposed, in one append."""
        plan = proposal.plan
        if plan.correction.command in plan.before.commands:
            return Outcome((), plan.before, repeated=True)
        try:
            self._ledger.append(plan.new, proposal.head)
        except Conflict as conflict:
            raise Refusal(
                "correction/moved-on",
                "Something was recorded after this correction was planned; plan it again.",
                encounter=proposal.reference,
            ) from conflict
        finally:
            self._sessions.pop(plan.before.id, None)
        return Outcome(tuple(plan.new), plan.after)

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
        return Outcome((forked,), fold([*shared.events, forked]))

    def battle(self, reference: str, *, at: int | None = None) -> Battle:
        """The state of an encounter now, or after the event `at`."""
        return read_battle(self._ledger, reference, at=at)

    def names(self) -> set[str]:
        return {listed.name for listed in self._ledger.list_encounters()}

    def fight(self, reference: str) -> Fight:
        """The fight as it is now, for reading."""
        return self._session(reference).fight

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
        session = self._sessions.get(encounter)
        return self._ledger.recorder.lock(encounter) if session and session.contested else nullcontext()

    def _attempt(self, reference: str, command: UUID, add: Callable[[Fight, UUID], list[Event]]) -> Outcome | None:
        """Resolve and record a command; None if another writer was faster."""
        session = self._session(reference)
        battle = session.fight.battle
        if command in battle.commands:
            return Outcome((), battle, repeated=True)
        new = add(session.fight, command)
        try:
            session.head = self._ledger.append(new, session.head)
        except Conflict:
            session.contested, session.unrecorded = True, len(new)
            return None
        except BaseException:
            # The fight is ahead of the ledger, so it is read again before it is used.
            del self._sessions[battle.id]
            raise
        return Outcome(tuple(new), session.fight.battle)

    def _session(self, reference: str) -> _Session:
        session = self._sessions.get(encounter_id(reference))
        if session is None:
            stream = self._ledger.find(reference)
            fight = Fight(stream.events, now=self._now)
            fight.seed = self._ledger.seed(fight.battle.id) if fight.battle.commitment else None
            session = _Session(fight, stream.head)
            self._sessions[session.fight.battle.id] = session
        elif session.contested:
            self._catch_up(session)
        return session

    def _catch_up(self, session: _Session) -> None:
        """Forget what was not recorded, and read what is new."""
        if session.unrecorded:
            ahead = session.fight
            session.fight = Fight(ahead.events[: -session.unrecorded], now=self._now, seed=ahead.seed)
            session.unrecorded = 0
        newer = self._ledger.read_after(session.fight.events[-1], session.head)
        session.fight.take_in(newer.events)
        session.head = newer.head
        session.contested = bool(newer.events)

    def _already_open(self, name: str, command: UUID) -> Outcome:
        battle = self._session(name).fight.battle
        if command not in battle.commands:
            raise name_taken(name)
        return Outcome((), battle, repeated=True)
