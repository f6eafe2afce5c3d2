"""The fights that a referee keeps in memory, so that it does not read them again for every command.

A fight is read from the newest stored snapshot, so a long one costs no more than a short one. A command that needs
more of the past (`EarlierEvents`) is tried again on a fight that was read from an older snapshot or from its beginning.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from combatlog.rules.engine.commands import has_key, key_reused, require_new_key
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.errors import DatabaseProblem
from ledger.events import Event, Redone
from ledger.store import encounters
from ledger.store.encounters import StateSnapshot
from ledger.store.ledger import LedgerStore, encounter_id
from projections.battle.event_history import EarlierEvents
from projections.battle.snapshots import KEPT, SPAN, battle_to_bytes, fold_version, resume_battle
from projections.battle.timeline import Correction, is_correction

MOST_FIGHTS = 200
MOST_EVENTS = 100_000


@dataclass(slots=True)
class CachedFight:
    """A fight as it was last read or written here, and the hash of its last recorded event."""

    fight: FightEngine
    head: bytes
    base: StateSnapshot | None = None
    """The snapshot that it was read from; None: it was read from its beginning."""
    kept: StateSnapshot | None = None
    """The newest snapshot that is still valid."""
    age: int = 0
    """How many newer snapshots were skipped."""
    contested: bool = False
    """Whether another writer was faster last time, or has written since."""
    unrecorded: int = 0
    """How many of the fight's events are not in the ledger, because another writer was faster."""

    @property
    def encounter(self) -> UUID:
        return self.fight.battle.id

    @property
    def since_kept(self) -> int:
        """How many events came after the newest snapshot."""
        return self.fight.battle.seq - (self.kept.seq if self.kept is not None else 0)


class FightCache:
    """Recently used fights. The cache is bounded; the least recently used fight is dropped first.

    The fight that was used last is kept, however long it is.
    """

    def __init__(self, *, fights: int = MOST_FIGHTS, events: int = MOST_EVENTS) -> None:
        self._most_fights = fights
        self._most_events = events
        self._sessions: OrderedDict[UUID, CachedFight] = OrderedDict()
        self._sizes: dict[UUID, int] = {}
        self._held = 0

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def events(self) -> int:
        """How many events are held in memory."""
        return self._held

    def get(self, encounter: UUID) -> CachedFight | None:
        return self._sessions.get(encounter)

    def used(self, session: CachedFight) -> None:
        """Add a session, or note that it was used or has grown."""
        self._count(session.encounter, len(session.fight.events))
        self._sessions[session.encounter] = session
        self._sessions.move_to_end(session.encounter)
        while len(self._sessions) > 1 and (len(self._sessions) > self._most_fights or self._held > self._most_events):
            self.forget(next(iter(self._sessions)))

    def forget(self, encounter: UUID) -> None:
        self._sessions.pop(encounter, None)
        self._count(encounter, 0)

    def _count(self, encounter: UUID, events: int) -> None:
        """Update the number of events held. Counting them all would take longer the more fights there are."""
        self._held += events - self._sizes.pop(encounter, 0)
        if events:
            self._sizes[encounter] = events


class SessionCache:
    def __init__(self, ledger: LedgerStore, now: Callable[[], datetime], remembered: FightCache) -> None:
        self._ledger = ledger
        self._now = now
        self.remembered = remembered

    def get(self, reference: str) -> CachedFight:
        """A session as it was last read here."""
        session = self.remembered.get(encounter_id(reference))
        if session is None:
            return self._remember(self._read(reference))
        if session.contested:
            return self.catch_up(session)
        self.remembered.used(session)
        return session

    def current(self, reference: str) -> CachedFight:
        """A session with all recorded events."""
        session = self.remembered.get(encounter_id(reference))
        return self.catch_up(session) if session is not None else self.get(reference)

    def reaching_back(self, reference: str, command: UUID | None = None) -> Iterator[CachedFight]:
        """A current session, then sessions with more and more of the fight's past.

        A command that was carried out long ago can only be found in a whole fight.
        """
        session = self.current(reference)
        if command is not None and command not in session.fight.course.commands and self.knows(session, command):
            session = self._remember(self._read(reference, age=KEPT))
        yield session
        while not session.fight.course.is_whole:
            session = self.further(session)
            yield session

    def further(self, session: CachedFight) -> CachedFight:
        """The same fight, read with more of its past."""
        return self._remember(self._read(str(session.encounter), age=session.age + 1))

    def knows(self, session: CachedFight, command: UUID) -> bool:
        """Whether a command was already carried out; refused if its key was used for another one."""
        course = session.fight.course
        if command in course.commands:
            return True
        require_new_key(course, command)
        if course.is_whole:
            return False
        recorder, encounter = self._ledger.recorder, session.encounter
        if encounters.snapshot_has_command(recorder, encounter, command.bytes):
            return True
        if has_key(command) and encounters.snapshot_has_command(recorder, encounter, command.bytes[:8]):
            raise key_reused()
        return False

    def catch_up(self, session: CachedFight) -> CachedFight:
        """Drop events that were not recorded, and read new ones.

        If that fails, for example after a restore, the session is dropped and the fight is read again when needed.
        """
        try:
            if session.unrecorded:
                session.fight.course.forget_last(session.unrecorded)
                session.unrecorded = 0
            newer = self._ledger.read_after(session.encounter, session.fight.battle.seq, session.head)
            self._take_in(session, newer.events, newer.head)
        except EarlierEvents:
            session = self.further(session)
            session.contested = True
            return session
        except BaseException:
            self.remembered.forget(session.encounter)
            raise
        session.contested = bool(newer.events)
        return self._remember(session)

    def corrected(self, encounter: UUID, before: bytes, new: Iterable[Event], head: bytes) -> None:
        """Note that a correction was recorded. If the session was up to date, it need not be read again."""
        session = self.remembered.get(encounter)
        if session is None or session.head != before or session.unrecorded:
            self.remembered.forget(encounter)
            return
        self._take_in(session, new, head)
        self.recorded(session)

    def recorded(self, session: CachedFight) -> None:
        """Note that events were recorded, and save a snapshot after many of them.

        No snapshot is saved while earlier events are still needed: while a window waits, or once the seed is public.
        """
        self.remembered.used(session)
        fight = session.fight
        if session.since_kept >= SPAN and fight.battle.window is None and not fight.course.revealed:
            self._keep(session)

    def _keep(self, session: CachedFight) -> None:
        fight, since = session.fight, session.kept
        snapshot = StateSnapshot(fight.battle.seq, session.head, battle_to_bytes(fight.battle))
        commands = [command for command, seq in fight.course.commands.items() if since is None or seq > since.seq]
        with suppress(DatabaseProblem):  # a snapshot is only a cache, and the command is already recorded
            recorder = self._ledger.recorder
            encounters.save_snapshot(recorder, session.encounter, fold_version(), snapshot, commands, since=since)
        session.kept = snapshot

    def _take_in(self, session: CachedFight, newer: Iterable[Event], head: bytes) -> None:
        for event in newer:
            session.fight.take_in([event])
            if is_correction(event) and _reaches(event, session.kept):
                session.kept = session.base
        session.head = head

    def _read(self, reference: str, age: int = 0) -> CachedFight:
        for older in range(age, KEPT):
            if (session := self._resume(encounter_id(reference), older)) is not None:
                return self._with_seed(session)
        stream = self._ledger.find(reference)
        return self._with_seed(CachedFight(FightEngine(stream.events, now=self._now), stream.head, age=KEPT))

    def _resume(self, encounter: UUID, older: int) -> CachedFight | None:
        resumed = resume_battle(self._ledger, encounter, older=older)
        if resumed is None:
            return None
        try:
            fight = FightEngine(resumed.newer.events, start=resumed.start, now=self._now)
        except EarlierEvents:
            return None
        return CachedFight(fight, resumed.newer.head, resumed.snapshot, resumed.snapshot, older)

    def _with_seed(self, session: CachedFight) -> CachedFight:
        fight = session.fight
        fight.seed = self._ledger.seed(fight.battle.id) if fight.battle.commitment else None
        return session

    def _remember(self, session: CachedFight) -> CachedFight:
        self.remembered.used(session)
        return session


def _reaches(correction: Event, kept: StateSnapshot | None) -> bool:
    """Whether a correction changes something before a snapshot."""
    if kept is None:
        return False
    assert isinstance(correction, Correction)
    if isinstance(correction, Redone):
        return True
    return any(seq <= kept.seq for seq in (*correction.retracts, *(run.after for run in correction.places)))
