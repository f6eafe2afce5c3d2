"""Read from a replica: a PostgreSQL standby that follows the primary server.

Locks show which events are still being written, and locks are not replicated. So the primary is asked how far the
ledger is settled, and then where its write-ahead log ends. Once the replica has replayed the log up to there, it has
every settled event. Without the primary, there is no way to tell what the replica lacks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from time import monotonic, sleep
from typing import Any, ClassVar, NamedTuple, Self

from psycopg.sql import SQL

from ledger.errors import DatabaseProblem, Unreachable
from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from ledger.store.positions import as_position
from ledger.store.recorder import LedgerRecorder

REPLICA_VARIABLE = "COMBATLOG_REPLICA_URL"
PATIENCE = 5.0
"""How many seconds a reader waits for a replica to catch up."""
_PAUSE = 0.02
_PAGE = 8192
_PAGE_HEADERS = (24, 40)
"""Sizes of page headers. At the end of a page, the primary already counts the next header, but a replica does not."""

_WRITTEN = SQL("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").format()
_REPLAYED = SQL("SELECT coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0'::pg_lsn").format()
_LATEST = SQL(
    "SELECT pg_last_xact_replay_timestamp(), extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8"
).format()
_WHICH = SQL("SELECT pg_is_in_recovery(), system_identifier FROM pg_control_system()").format()


class ReplicationMark(NamedTuple):
    """A replica that has replayed the log up to `lsn` has every event up to the position `settled`."""

    settled: dict[int, int]
    lsn: int


class ReplicaLag(NamedTuple):
    """How far a replica is behind its primary. Without the primary, only `until` is known."""

    events: int | None
    bytes: int | None
    seconds: float | None
    """The time since the last replayed transaction; 0 if nothing is missing."""
    until: datetime | None
    """When that transaction was committed; None if there was none since the replica started."""
    is_primary_named: bool = True
    """False: no primary was given, so none was contacted."""


def _unnamed() -> DatabaseProblem:
    return DatabaseProblem(
        "replica/primary-not-named",
        "No primary server is named, so new events cannot be followed on the replica: "
        "only the primary knows which events are still being written.",
    )


class ReplicaRecorder(LedgerRecorder):
    """Reads from a replica only events that are settled according to the primary."""

    primary: LedgerRecorder | None = None
    reach_primary: Callable[[], None] | None = None
    """Tries again to reach the primary; None if no primary was given."""
    _reached: dict[int, int] | None = None
    _awaited: ReplicationMark | None = None

    def settled_nodes(self) -> dict[int, int]:
        """The settled position that the replica has reached."""
        self._reached = self._begin() if self._reached is None else self._go_on(self._reached)
        return dict(self._reached)

    def _begin(self) -> dict[int, int]:
        mark = self.mark()
        if not self.wait_for(mark):
            raise DatabaseProblem(
                "replica/behind",
                f"The replica has not caught up with the primary server within {PATIENCE:g} seconds, so new events "
                "cannot be followed there yet.",
                needed=mark.lsn,
                found=self.replayed(),
            )
        return mark.settled

    def _go_on(self, reached: dict[int, int]) -> dict[int, int]:
        """Advance to the awaited mark once it is reached. A new mark each time might never be reached."""
        self._awaited = self._awaited or self.mark()
        if self.replayed() >= self._awaited.lsn:
            reached, self._awaited = self._awaited.settled, None
        return reached

    def mark(self) -> ReplicationMark:
        """The settled position, and then the end of the log. In this order, all settled events are in the log."""
        primary = self._required_primary()
        settled = primary.settled_nodes()
        end = int(primary.select(_WRITTEN)[0][0])
        return ReplicationMark(settled, end - end % _PAGE if end % _PAGE in _PAGE_HEADERS else end)

    def _required_primary(self) -> LedgerRecorder:
        if self.reach_primary is None:
            raise _unnamed()
        if self.primary is None:
            self.reach_primary()
        if self.primary is None:
            raise DatabaseProblem(
                "replica/no-primary",
                "New events can be followed on a replica only while the primary server can be reached: "
                "only the primary knows which events are still being written.",
            )
        return self.primary

    def replayed(self) -> int:
        return int(self.select(_REPLAYED)[0][0])

    def wait_for(self, mark: ReplicationMark) -> bool:
        """Wait for the replica to reach a mark; False if that takes too long."""
        end = monotonic() + PATIENCE
        while self.replayed() < mark.lsn:
            if monotonic() > end:
                return False
            sleep(_PAUSE)
        return True

    def lag(self) -> ReplicaLag:
        until, seconds = self.select(_LATEST)[0]
        if self.primary is None:
            return ReplicaLag(None, None, None, until, self.reach_primary is not None)
        missing = max(0, self.mark().lsn - self.replayed())
        events = self.primary.count_after(as_position(self.last_notification())) if missing else 0
        return ReplicaLag(events, missing, (seconds or 0.0) if missing else 0.0, until)


class ReplicaLedger(LedgerStore):
    """A ledger that is read from a replica. Nothing can be recorded in it."""

    name = LedgerStore.name
    env: ClassVar[dict[str, str]] = {
        **LedgerStore.env,
        "APPLICATION_RECORDER_TOPIC": "ledger.store.replica:ReplicaRecorder",
    }
    recorder: ReplicaRecorder
    primary: LedgerStore | None = None
    """The server that the replica follows; None if it cannot be reached or was not given."""

    @classmethod
    def open_beside(cls, url: str, primary: str | None) -> Self:
        """Connect to a replica and, if possible, to its primary, and wait a while for the replica to catch up."""
        replica = cls._reached(url)
        try:
            replica._join(primary)
            replica.catch_up()
        except BaseException:
            replica.close()
            raise
        return replica

    @classmethod
    def _reached(cls, url: str) -> Self:
        try:
            return cls.open(url)
        except Unreachable as problem:
            reason = problem.facts["reason"]
            raise DatabaseProblem(
                "replica/unreachable", f"The replica cannot be reached ({reason}).", reason=reason
            ) from problem

    def _join(self, primary: str | None) -> None:
        is_standby, system = self.recorder.select(_WHICH)[0]
        if not is_standby:
            raise DatabaseProblem(
                "replica/no-standby", "This is not a replica: the server does not follow another one."
            )
        if primary is not None:
            self.recorder.reach_primary = partial(self._reach, primary, system)
            self.recorder.reach_primary()

    def _reach(self, url: str, system: int) -> None:
        """Connect to the primary, if it can be reached now."""
        with suppress(Unreachable):
            self.primary = LedgerStore.open(url)
            if self.primary.recorder.select(_WHICH)[0] != (False, system):
                raise DatabaseProblem("replica/other", "This is a replica of another server, not of the given primary.")
            self.recorder.primary = self.primary.recorder

    def check_following(self) -> None:
        if self.recorder.reach_primary is None:
            raise _unnamed()

    def catch_up(self) -> bool:
        """Wait until the replica has what its primary has now; False if that takes too long or there is no primary."""
        return self.primary is not None and self.recorder.wait_for(self.recorder.mark())

    def lag(self) -> ReplicaLag:
        return self.recorder.lag()

    def close(self) -> None:
        if self.primary is not None:
            self.primary.close()
        super().close()


def open_replica(url: str, primary: str | None = None) -> ReplicaLedger:
    """Open a replica, with the primary that is given or named in the environment."""
    return ReplicaLedger.open_beside(url, primary or os.environ.get(URL_VARIABLE) or None)


def lag_of_replica(ledger: Any) -> ReplicaLag | None:
    """How far a ledger on a replica is behind; None for any other ledger."""
    return ledger.lag() if isinstance(ledger, ReplicaLedger) else None
