"""Fights on their way between the ledger and a referee: read, remembered, brought up to date, and kept as snapshots.

A fight is read from the newest state that was kept, so a long one costs no more than a short one. What needs more of
its past than that (`Earlier`) is tried again on a fight that was read from an older state or from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.keys import has_key, key_reused, require_new_key
from combatlog.rules.engine.remembered import Remembered, Session
from ledger import snapshots
from ledger.errors import DatabaseProblem
from ledger.events import Event, Redone
from ledger.snapshots import Snapshot
from ledger.store import Ledger, encounter_id
from projections.course import Earlier
from projections.frozen import fold_version, freeze
from projections.resuming import KEPT, SPAN, resume
from projections.timeline import Correction, is_correction


class Sessions:
    def __init__(self, ledger: Ledger, now: Callable[[], datetime], remembered: Remembered) -> None:
        self._ledger = ledger
        self._now = now
        self.remembered = remembered

    def get(self, reference: str) -> Session:
        """A session, as it was last read here."""
        session = self.remembered.get(encounter_id(reference))
        if session is None:
            return self._remember(self._read(reference))
        if session.contested:
            return self.catch_up(session)
        self.remembered.used(session)
        return session

    def current(self, reference: str) -> Session:
        """A session with everything that is recorded."""
        session = self.remembered.get(encounter_id(reference))
        return self.catch_up(session) if session is not None else self.get(reference)

    def reaching_back(self, reference: str, command: UUID | None = None) -> Iterator[Session]:
        """A current session, then others that know more and more of the fight's past.

        A command that was carried out long ago can only be found in a whole fight.
        """
        session = self.current(reference)
        if command is not None and command not in session.fight.course.commands and self.knows(session, command):
            session = self._remember(self._read(reference, age=KEPT))
        yield session
        while not session.fight.course.is_whole:
            session = self.further(session)
            yield session

    def further(self, session: Session) -> Session:
        """The same fight, read with more of its past."""
        return self._remember(self._read(str(session.encounter), age=session.age + 1))

    def knows(self, session: Session, command: UUID) -> bool:
        """Whether a command was carried out; refused if its key was used for another one."""
        course = session.fight.course
        if command in course.commands:
            return True
        require_new_key(course, command)
        if course.is_whole:
            return False
        recorder, encounter = self._ledger.recorder, session.encounter
        if snapshots.has_command(recorder, encounter, command.bytes):
            return True
        if has_key(command) and snapshots.has_command(recorder, encounter, command.bytes[:8]):
            raise key_reused()
        return False

    def catch_up(self, session: Session) -> Session:
        """Forget what was not recorded, and read what is new.

        If that fails, such as after a restore, the fight is read from its beginning when it is needed again.
        """
        try:
            if session.unrecorded:
                session.fight.course.forget_last(session.unrecorded)
                session.unrecorded = 0
            newer = self._ledger.read_after(session.encounter, session.fight.battle.seq, session.head)
            self._take_in(session, newer.events, newer.head)
        except Earlier:
            session = self.further(session)
            session.contested = True
            return session
        except BaseException:
            self.remembered.forget(session.encounter)
            raise
        session.contested = bool(newer.events)
        return self._remember(session)

    def corrected(self, encounter: UUID, before: bytes, new: Iterable[Event], head: bytes) -> None:
        """A correction was recorded. A fight that is as it was before that need not be read again."""
        session = self.remembered.get(encounter)
        if session is None or session.head != before or session.unrecorded:
            self.remembered.forget(encounter)
            return
        self._take_in(session, new, head)
        self.recorded(session)

    def recorded(self, session: Session) -> None:
        """Something was recorded. After many events, the state is kept, unless what led to it is still needed: while a
        window waits, or because it made the seed of committed dice public."""
        self.remembered.used(session)
        fight = session.fight
        if session.since_kept >= SPAN and fight.battle.window is None and not fight.course.revealed:
            self._keep(session)

    def _keep(self, session: Session) -> None:
        fight, since = session.fight, session.kept
        snapshot = Snapshot(fight.battle.seq, session.head, freeze(fight.battle))
        commands = [command for command, seq in fight.course.commands.items() if since is None or seq > since.seq]
        with suppress(DatabaseProblem):  # the command is recorded, whether or not this helps the next one
            recorder = self._ledger.recorder
            snapshots.save(recorder, session.encounter, fold_version(), snapshot, commands, since=since)
        session.kept = snapshot

    def _take_in(self, session: Session, newer: Iterable[Event], head: bytes) -> None:
        for event in newer:
            session.fight.take_in([event])
            if is_correction(event) and _reaches(event, session.kept):
                session.kept = session.base
        session.head = head

    def _read(self, reference: str, age: int = 0) -> Session:
        for older in range(age, KEPT):
            if (session := self._resume(encounter_id(reference), older)) is not None:
                return self._with_seed(session)
        stream = self._ledger.find(reference)
        return self._with_seed(Session(Fight(stream.events, now=self._now), stream.head, age=KEPT))

    def _resume(self, encounter: UUID, older: int) -> Session | None:
        resumed = resume(self._ledger, encounter, older=older)
        if resumed is None:
            return None
        try:
            fight = Fight(resumed.newer.events, start=resumed.start, now=self._now)
        except Earlier:
            return None
        return Session(fight, resumed.newer.head, resumed.snapshot, resumed.snapshot, older)

    def _with_seed(self, session: Session) -> Session:
        fight = session.fight
        fight.seed = self._ledger.seed(fight.battle.id) if fight.battle.commitment else None
        return session

    def _remember(self, session: Session) -> Session:
        self.remembered.used(session)
        return session


def _reaches(correction: Event, kept: Snapshot | None) -> bool:
    """Whether a correction changes something before a state that was kept."""
    if kept is None:
        return False
    assert isinstance(correction, Correction)
    if isinstance(correction, Redone):
        return True
    return any(seq <= kept.seq for seq in (*correction.retracts, *(run.after for run in correction.places)))
