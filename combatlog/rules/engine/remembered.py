"""The fights that a referee remembers, so that it need not read them again for every command."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from uuid import UUID

from combatlog.rules.engine.fight import Fight
from ledger.snapshots import Snapshot

MOST_FIGHTS = 200
MOST_EVENTS = 100_000


@dataclass(slots=True)
class Session:
    """A fight as it was last read or written here, and the hash of its last recorded event."""

    fight: Fight
    head: bytes
    base: Snapshot | None = None
    """The state that it was read from; None: it was read from its beginning."""
    kept: Snapshot | None = None
    """The last state that was kept and still holds."""
    age: int = 0
    """How many newer states there were that it could not be read from."""
    contested: bool = False
    """Another writer was faster last time, or has written since."""
    unrecorded: int = 0
    """How many of the fight's events are not in the ledger, because another writer was faster."""

    @property
    def encounter(self) -> UUID:
        return self.fight.battle.id

    @property
    def since_kept(self) -> int:
        """How many events came after the last state that was kept."""
        return self.fight.battle.seq - (self.kept.seq if self.kept is not None else 0)


class Remembered:
    """Bounded, because a process may live for years: what was not used for longest is forgotten first.

    The fight that was used last is kept however long it is.
    """

    def __init__(self, *, fights: int = MOST_FIGHTS, events: int = MOST_EVENTS) -> None:
        self._most_fights = fights
        self._most_events = events
        self._sessions: OrderedDict[UUID, Session] = OrderedDict()
        self._sizes: dict[UUID, int] = {}
        self._held = 0

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def events(self) -> int:
        """How many events are held in memory."""
        return self._held

    def get(self, encounter: UUID) -> Session | None:
        return self._sessions.get(encounter)

    def used(self, session: Session) -> None:
        """Remember a session, or that it was used or has grown."""
        self._count(session.encounter, len(session.fight.events))
        self._sessions[session.encounter] = session
        self._sessions.move_to_end(session.encounter)
        while len(self._sessions) > 1 and (len(self._sessions) > self._most_fights or self._held > self._most_events):
            self.forget(next(iter(self._sessions)))

    def forget(self, encounter: UUID) -> None:
        self._sessions.pop(encounter, None)
        self._count(encounter, 0)

    def _count(self, encounter: UUID, events: int) -> None:
        """Kept up to date, because to count everything would take longer the more fights there are."""
        self._held += events - self._sizes.pop(encounter, 0)
        if events:
            self._sizes[encounter] = events
