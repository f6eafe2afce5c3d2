"""The library's PostgreSQL recorder with a hash column, an append in one round trip, and no lock on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import IntegrityError, Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composed

from ledger.arrays import Blobs, Texts
from ledger.connections import LedgerPool
from ledger.errors import (
    Conflict,
    DatabaseProblem,
    LaggingSequence,
    NotRecorded,
    Problem,
    Unanswered,
    Unreachable,
    first_line,
)
from ledger.subscription import PollingSubscription

_NO_END = 2**62
_STREAMED = 2000
NEVER_IDLE_TOO_LONG = "SET LOCAL idle_in_transaction_session_timeout = 0"
"""For a transaction that waits while its reader works: the library would end it after five seconds."""
_TAKE_TURN = SQL("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1min'; SELECT combatlog.lock_encounter({})")

_HASH_OF_LAST = "SELECT hash FROM combatlog.ledger_events WHERE originator_id = %b AND originator_version = %b::bigint"
_CATCH_UP_SEQUENCE = "SELECT combatlog.catch_up_sequence()"
_CANNOT_HOLD = {"22", "54"}
"""Classes of SQLSTATE: invalid data, such as text that is not JSON, and data beyond the server's limits."""


@dataclass(frozen=True)
class ChainedEvent(StoredEvent):
    """A stored event and its link in the hash chain."""

    hash: bytes


class Row(NamedTuple):
    """A stored event without its encounter, which whoever reads it knows."""

    seq: int
    name: str
    state: bytes
    hash: bytes


class Batch(NamedTuple):
    """Consecutive events of one encounter, as columns."""

    encounter: UUID
    first: int
    names: Texts
    states: Blobs
    hashes: Blobs


class Underway(NamedTuple):
    """A transaction that is adding events and has not ended."""

    user: str | None
    since: datetime | None
    """Only the user's own, unless the asker may see what everybody is doing."""


class LedgerRecorder(PostgresApplicationRecorder):
    """Appends through `combatlog.append_events`, and reads the log of all events only as far as it is settled."""

    def insert_events(self, stored_events: Iterable[StoredEvent], **_: Any) -> None:
        """Insert events of any encounters, all or none. Only those of one encounter are in memory at a time."""
        self.insert_batches(_batches(event for event in stored_events if isinstance(event, ChainedEvent)))

    def insert_batches(self, batches: Iterable[Batch]) -> None:
        """Insert batches of any encounters, all or none. Only one of them is in memory at a time."""
        with self._connection() as conn, _until_answered(conn), conn.transaction():
            conn.execute(_CATCH_UP_SEQUENCE)
            for batch in batches:
                _append(conn, batch)

    def insert_batch(self, batch: Batch, seed: bytes | None) -> None:
        """Insert the events of one command and, with an encounter's first event, the seed of committed dice."""
        try:
            self._insert_batch(batch, seed)
        except LaggingSequence as lagging:
            self._catch_up_sequence(lagging)
            self._insert_batch(batch, seed)

    def _catch_up_sequence(self, lagging: LaggingSequence) -> None:
        """Rows were restored without the sequence that numbers them; from here on it goes on after them."""
        try:
            with self._connection() as conn:
                conn.execute(_CATCH_UP_SEQUENCE)
        except DatabaseProblem as problem:
            raise lagging from problem

    def _insert_batch(self, batch: Batch, seed: bytes | None) -> None:
        with self._connection() as conn, _until_answered(conn), _ending_the_turn(conn):
            if seed is None:
                _append(conn, batch)
                return
            with conn.transaction():
                conn.execute(
                    "INSERT INTO combatlog.dice_seeds (encounter, seed) VALUES (%s, %s)", (batch.encounter, seed)
                )
                _append(conn, batch)

    @contextmanager
    def lock(self, encounter: UUID) -> Iterator[None]:
        """Keep everybody else from appending to the encounter, up to the next append or the end of the block.

        It is a transaction that the append commits, because a pooler keeps a session for no longer than that.
        Meanwhile this thread uses one connection.
        """
        with self.hold() as conn:
            conn.execute(_TAKE_TURN.format(encounter))
            try:
                yield
            finally:
                _give_turn_back(conn)

    def select_seed(self, encounter: UUID) -> bytes | None:
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute("SELECT seed FROM combatlog.dice_seeds WHERE encounter = %s", (encounter,))
            found = cursor.fetchone()
            return found[0] if found else None

    # The log of all events

    def settled(self) -> int:
        """The notification up to which no event will be added any more."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT combatlog.settled()", prepare=True)
            (found,) = cursor.fetchall()
        if found[0] is None:
            raise DatabaseProblem(
                "database/standby",
                "New events can be followed only on the primary server, and this one is a standby: "
                "it cannot tell which events are still on their way.",
            )
        return int(found[0])

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        settled = self.settled()
        if start is not None and start > settled:
            return ()
        end = settled if stop is None else min(stop, settled)
        with _as_problems():
            found: Sequence[Notification] = super().select_notifications(
                start, limit, end, topics, inclusive_of_start=inclusive_of_start
            )
            return found

    def max_notification_id(self) -> int | None:
        """The last notification that a follower can have reached."""
        settled = self.settled()
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            query = "SELECT max(notification_id) FROM combatlog.ledger_events WHERE notification_id <= %s"
            cursor.execute(query, (settled,), prepare=True)
            (found,) = cursor.fetchall()
            return None if found[0] is None else int(found[0])

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        return PollingSubscription(self, gt, topics)

    # Rows

    def has(self, encounter: UUID) -> bool:
        """Whether there is any event of an encounter."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT FROM combatlog.ledger_events WHERE originator_id = %s LIMIT 1", (encounter,))
            return cursor.fetchone() is not None

    def select_rows(self, encounter: UUID, *, after: int = 0, upto: int | None = None) -> list[Row]:
        """The events of an encounter in order, as plain rows, because a fight has thousands."""
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT originator_version, topic, state, hash FROM combatlog.ledger_events"
                " WHERE originator_id = %s AND originator_version > %s AND originator_version <= %s"
                " ORDER BY originator_version",
                (encounter, after, upto if upto is not None else _NO_END),
                prepare=True,
            )
            return [Row._make(row) for row in cursor.fetchall()]

    def select_last(self, encounter: UUID, count: int) -> list[Row]:
        """The last events of an encounter, in order."""
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT originator_version, topic, state, hash FROM combatlog.ledger_events WHERE originator_id = %s"
                " ORDER BY originator_version DESC LIMIT %s",
                (encounter, count),
            )
            return [Row._make(row) for row in reversed(cursor.fetchall())]

    def stream_rows(self, upto: int) -> Iterator[tuple[UUID, Row]]:
        """Every event up to a notification, encounter by encounter, without holding them all in memory."""
        with self._connection() as conn, conn.transaction(), conn.cursor("stream", binary=True) as cursor:
            conn.execute(NEVER_IDLE_TOO_LONG)
            cursor.row_factory = tuple_row
            cursor.itersize = _STREAMED
            cursor.execute(
                "SELECT originator_id, originator_version, topic, state, hash FROM combatlog.ledger_events"
                " WHERE notification_id <= %s ORDER BY originator_id, originator_version",
                (upto,),
            )
            for encounter, *row in cursor:
                yield encounter, Row._make(row)

    def count_upto(self, notification: int) -> int:
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT count(*) FROM combatlog.ledger_events WHERE notification_id <= %s", (notification,))
            (found,) = cursor.fetchall()
            return int(found[0])

    def count_after(self, notification: int) -> int:
        """How many events are recorded beyond a notification, settled or not."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT count(*) FROM combatlog.ledger_events WHERE notification_id > %s", (notification,))
            (found,) = cursor.fetchall()
            return int(found[0])

    def last_notification(self) -> int:
        """The last one that is recorded, settled or not; 0 if there is none."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT coalesce(max(notification_id), 0) FROM combatlog.ledger_events")
            (found,) = cursor.fetchall()
            return int(found[0])

    def select_oldest_writer(self) -> Underway | None:
        """The transaction that followers wait for, if there is any."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT usename, xact_start FROM combatlog.writers() LEFT JOIN pg_stat_activity USING (pid)"
                " ORDER BY announced LIMIT 1"
            )
            found = cursor.fetchone()
            return Underway._make(found) if found is not None else None

    def select_named(self, encounter: UUID, names: list[str], *, upto: int | None = None) -> list[tuple[str, bytes]]:
        """Name and state of the events with these names, and of the last event in any case."""
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT topic, state FROM combatlog.ledger_events"
                " WHERE originator_id = %(id)s AND originator_version <= %(upto)s AND (topic = ANY(%(names)s)"
                " OR originator_version = (SELECT max(originator_version) FROM combatlog.ledger_events"
                " WHERE originator_id = %(id)s AND originator_version <= %(upto)s))"
                " ORDER BY originator_version",
                {"id": encounter, "names": names, "upto": upto if upto is not None else _NO_END},
                prepare=True,
            )
            return cursor.fetchall()

    def select(self, query: Composed, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(query, values)
            return cursor.fetchall()

    def select_encounters(self) -> list[UUID]:
        """Every encounter that has any event at all, even if its first is missing."""
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT originator_id FROM combatlog.ledger_events GROUP BY originator_id ORDER BY min(notification_id)"
            )
            return [row[0] for row in cursor.fetchall()]

    def select_facts(self) -> tuple[str, int, int, int]:
        """The server's version, the schema's, and how many encounters and events there are."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT current_setting('server_version'), (SELECT max(version) FROM combatlog.schema_version),"
                " count(*) FILTER (WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked')), count(*)"
                " FROM combatlog.ledger_events"
            )
            (facts,) = cursor.fetchall()
            return facts[0], facts[1], facts[2], facts[3]

    @contextmanager
    def hold(self) -> Iterator[psycopg.Connection[Any]]:
        """While it lasts, this thread has one connection for everything."""
        with _as_problems(), cast(LedgerPool, self.datastore.pool).hold() as conn:
            yield conn

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Any]]:
        with _as_problems(), self.datastore.get_connection() as conn:
            yield conn


def _batches(events: Iterable[ChainedEvent]) -> Iterator[Batch]:
    """Consecutive events of the same encounter."""
    for encounter, group in groupby(events, key=lambda event: event.originator_id):
        run = list(group)
        first = run[0].originator_version
        if [event.originator_version for event in run] != list(range(first, first + len(run))):
            raise ValueError(f"the events of {encounter} do not follow each other")
        yield Batch(
            UUID(str(encounter)),
            first,
            Texts(event.topic for event in run),
            Blobs(event.state for event in run),
            Blobs(event.hash for event in run),
        )


@contextmanager
def _ending_the_turn(conn: psycopg.Connection[Any]) -> Iterator[None]:
    """Commit what was appended during a turn at once, and so let the others go on; a turn in vain is over, too."""
    in_turn = conn.info.transaction_status == TransactionStatus.INTRANS
    try:
        yield
        if in_turn:
            conn.execute("COMMIT")
    except BaseException:
        _give_turn_back(conn)
        raise


def _give_turn_back(conn: psycopg.Connection[Any]) -> None:
    if conn.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
        with suppress(psycopg.OperationalError):  # the lock is released with the connection
            conn.execute("ROLLBACK")


def _append(conn: psycopg.Connection[Any], batch: Batch) -> None:
    """Append, and read the last event back: whoever owns the database can replace whatever stands in between."""
    try:
        conn.execute("SELECT combatlog.append_events(%b, %b::bigint, %b, %b, %b)", batch, prepare=True)
    except psycopg.Error as error:
        if (refusal := _refusal(error, batch)) is None:
            raise
        raise refusal from error
    with conn.cursor(binary=True, row_factory=tuple_row) as cursor:
        cursor.execute(_HASH_OF_LAST, (batch.encounter, batch.first + len(batch.names) - 1), prepare=True)
        if batch.hashes and cursor.fetchone() != (batch.hashes[-1],):
            raise NotRecorded


def _refusal(error: psycopg.Error, batch: Batch) -> DatabaseProblem | None:
    """Why the database did not take events, if it says so."""
    state = error.sqlstate or ""
    if state == "CL002":
        return NotRecorded()
    if state != "CL001" and state[:2] not in _CANNOT_HOLD:
        return None
    detail = error.diag.message_detail if state == "CL001" else None
    seq = int(detail) if detail else batch.first
    why = error.diag.message_primary if detail else f"the database cannot hold its content ({first_line(error)})"
    return DatabaseProblem(
        "ledger/not-an-event",
        f"Event {seq} cannot be recorded: {why}. Nothing was recorded.",
        encounter=str(batch.encounter),
        seq=seq,
        reason=why,
    )


@contextmanager
def _until_answered(conn: psycopg.Connection[Any]) -> Iterator[None]:
    """If a connection breaks while it writes, nobody knows whether it has written."""
    try:
        yield
    except psycopg.OperationalError as error:
        if conn.closed:
            raise Unanswered(first_line(error)) from error
        raise


@contextmanager
def _as_problems() -> Iterator[None]:
    """Turn the database's errors into problems that a person can act upon."""
    try:
        yield
    except Problem:
        raise
    except (IntegrityError, psycopg.IntegrityError) as error:
        raise LaggingSequence() if _is_of_sequence(error) else Conflict() from error
    except Exception as error:
        if (problem := explain(error)) is not None:
            raise problem from error
        raise


def _is_of_sequence(error: BaseException | None) -> bool:
    """Whether the sequence drew a number that is taken, and not a writer."""
    if isinstance(error, psycopg.Error):
        return error.diag.constraint_name == "ledger_events_notification_id_idx"
    return error is not None and _is_of_sequence(error.__cause__)


def explain(error: BaseException | None) -> DatabaseProblem | None:
    """The problem behind a driver's error or any error that wraps one."""
    if isinstance(error, psycopg.errors.DiskFull):
        return DatabaseProblem(
            "database/full",
            "The database's disk is full, so nothing was recorded; free some space and try again.",
        )
    if isinstance(error, psycopg.errors.OutOfMemory):
        return DatabaseProblem(
            "database/no-memory",
            "The server has no memory or no locks left for this, so nothing was recorded; try again later, "
            "or raise its limits (for locks, max_locks_per_transaction).",
        )
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return DatabaseProblem(
            "database/read-only",
            "This database can only be read, so nothing was recorded: it is a standby, or it is set to read-only.",
        )
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return DatabaseProblem(
            "database/locked", "Somebody else holds a lock in the database that this has to wait for; try again later."
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        reason = first_line(error)
        return DatabaseProblem(
            "database/forbidden", f"The database does not allow its user to do this: {reason}.", reason=reason
        )
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return Unreachable(error)
    return explain(error.__cause__) if error is not None else None


def unusable(error: BaseException) -> DatabaseProblem:
    """The problem for an error that `explain` knows nothing about."""
    reason = first_line(error)
    return DatabaseProblem("database/unusable", f"The database cannot be used: {reason}.", reason=reason)
