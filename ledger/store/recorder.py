"""The library's PostgreSQL recorder with a hash column, an append in one round trip, and no lock on the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import Notification, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composable, Composed, Identifier

from ledger.errors import DatabaseProblem, LaggingSequence
from ledger.store.appending import ChainedEvent, EventBatch, append, append_all, batches_of
from ledger.store.connections import LedgerPool, as_problems, until_answered
from ledger.store.positions import (
    FollowCandidate,
    LogPosition,
    PollingSubscription,
    as_position,
    between_positions,
    beyond_position,
    followable_in_order,
    last_notification_of,
    node_of,
)

_NO_END = 2**62
_STREAMED = 2000
NEVER_IDLE_TOO_LONG = "SET LOCAL idle_in_transaction_session_timeout = 0"
"""For a transaction that stays open while its reader works: the library would end it after five seconds."""
_TAKE_TURN = SQL("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1min'; SELECT combatlog.lock_encounter({})")

_STREAM = SQL(
    "SELECT originator_id, originator_version, topic, state, hash FROM {}"
    " WHERE {} AND originator_id BETWEEN %s AND %s ORDER BY originator_id, originator_version"
)
ALL = UUID(int=0), UUID(int=2**128 - 1)
"""The lowest and the highest id that an encounter can have."""
_WITH_BEFORE = SQL(
    "SELECT e.notification_id, e.originator_id, e.originator_version, e.topic, e.state, p.notification_id"
    " FROM combatlog.ledger_events e LEFT JOIN combatlog.ledger_events p"
    " ON p.originator_id = e.originator_id AND p.originator_version = e.originator_version - 1"
    " WHERE {} ORDER BY e.notification_id LIMIT %s"
)
_CROSSING = SQL(
    "SELECT min(e.notification_id) FROM combatlog.ledger_events e JOIN combatlog.ledger_events p"
    " ON p.originator_id = e.originator_id AND p.originator_version = e.originator_version - 1"
    " WHERE {} AND e.notification_id >> 48 <> p.notification_id >> 48 AND NOT {} GROUP BY e.notification_id >> 48"
)
"""The first event of each node whose previous event in the encounter is not included."""
_CATCH_UP_SEQUENCE = "SELECT combatlog.catch_up_sequence()"


class StoredRow(NamedTuple):
    """A stored event without its encounter, which the reader knows."""

    seq: int
    name: str
    state: bytes
    hash: bytes


class UnfinishedTransaction(NamedTuple):
    """A transaction that is adding events and has not ended."""

    user: str | None
    since: datetime | None
    """Known only for the user's own transactions, unless the user may see the activity of others."""


class LedgerRecorder(PostgresApplicationRecorder):
    """Appends with `combatlog.append_events`, and reads the log of all events only as far as it is settled."""

    on_cluster = False
    """Whether the ledger is on a cluster. There, an appending transaction can read only through functions."""

    def insert_events(self, stored_events: Iterable[StoredEvent], **_: Any) -> None:
        """Insert events of any encounters, all or none. Only one encounter's events are in memory at a time."""
        self.insert_batches(batches_of(event for event in stored_events if isinstance(event, ChainedEvent)))

    def insert_batches(self, batches: Iterable[EventBatch]) -> None:
        """Insert batches of any encounters, all or none. Only a few of them are in memory at a time.

        The transaction begins with the first batch. While the server stores one, the next can be prepared; queries
        through this recorder then run in the same transaction.
        """
        waiting = iter(batches)
        if (first := next(waiting, None)) is None:
            return
        with self.hold() as conn, until_answered(conn, on_cluster=self.on_cluster), conn.transaction():
            conn.execute(_CATCH_UP_SEQUENCE)
            append_all(conn, chain((first,), waiting), on_cluster=self.on_cluster)

    def insert_batch(self, batch: EventBatch, seed: bytes | None) -> None:
        """Insert the events of one command and, with an encounter's first event, the dice seed."""
        try:
            self._insert_batch(batch, seed)
        except LaggingSequence as lagging:
            self._catch_up_sequence(lagging)
            self._insert_batch(batch, seed)

    def _catch_up_sequence(self, lagging: LaggingSequence) -> None:
        """Move the sequence past the existing rows, which were restored without it."""
        try:
            with self._connection() as conn:
                conn.execute(_CATCH_UP_SEQUENCE)
        except DatabaseProblem as problem:
            raise lagging from problem

    def _insert_batch(self, batch: EventBatch, seed: bytes | None) -> None:
        with self._connection() as conn, until_answered(conn, on_cluster=self.on_cluster), _ending_the_turn(conn):
            append(conn, batch, seed, on_cluster=self.on_cluster)

    @contextmanager
    def lock(self, encounter: UUID) -> Iterator[None]:
        """Keep other writers from appending to the encounter until the next append or the end of the block.

        The lock belongs to a transaction that the append commits, because a pooler assigns sessions per transaction.
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

    followed: LogPosition = MappingProxyType({})
    """Where subscriptions begin on nodes for which the subscriber gives no position."""

    def settled_nodes(self) -> dict[int, int]:
        """The settled notification of each writing node: no event will be added up to it any more."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT node, settled FROM combatlog.settled_nodes()", prepare=True)
            found = cursor.fetchall()
        if any(settled is None for _, settled in found):
            raise DatabaseProblem(
                "database/standby",
                "New events can be followed only on the primary server, and this one is a standby: "
                "it cannot tell which events are still being written.",
            )
        return {int(node): int(settled) for node, settled in found}

    def settled(self) -> int:
        """The settled notification of a single server."""
        return self._only(self.settled_nodes())

    def _only(self, marks: LogPosition) -> int:
        if len(marks) > 1:
            raise DatabaseProblem(
                "database/several-nodes",
                "Several nodes write this ledger, but this works only on a ledger with a single server.",
                nodes=len(marks),
            )
        return marks[0]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        return self._select_of_one_node(self.settled(), start, limit, stop, topics, inclusive_of_start)

    def _select_of_one_node(
        self, settled: int, start: int | None, limit: int, stop: int | None, topics: Sequence[str], inclusive: bool
    ) -> Sequence[Notification]:
        if start is not None and start > settled:
            return ()
        end = settled if stop is None else min(stop, settled)
        with as_problems():
            found: Sequence[Notification] = super().select_notifications(
                start, limit, end, topics, inclusive_of_start=inclusive
            )
            return found

    def select_after(
        self,
        position: LogPosition,
        limit: int,
        *,
        marks: LogPosition | None = None,
        nodes: Collection[int] | None = None,
    ) -> Sequence[Notification]:
        """The notifications that can be followed next, on all nodes or only on some, each encounter's in order."""
        settled = self.settled_nodes() if marks is None else marks
        if len(settled) == 1:
            return self._select_of_one_node(settled[0], position.get(0, 0), limit, None, (), False)
        return followable_in_order(self._candidates(position, settled, limit, nodes), position)

    def _candidates(
        self, position: LogPosition, settled: LogPosition, limit: int, nodes: Collection[int] | None
    ) -> list[FollowCandidate]:
        new = {node: mark for node, mark in settled.items() if mark > position.get(node, 0)}
        found: list[FollowCandidate] = []
        for node in new if nodes is None else new.keys() & nodes:
            condition = between_positions(position, {node: new[node]}, "e.notification_id")
            rows = self.select(_WITH_BEFORE.format(condition), (limit,))
            found += [FollowCandidate(_notification(*row[:5]), row[5]) for row in rows]
        return found

    def heads_between(self, after: LogPosition, upto: LogPosition) -> list[tuple[UUID, int]]:
        """The encounters with events between two positions, each with the seq of the last one."""
        new = {node: mark for node, mark in upto.items() if mark > after.get(node, 0)}
        query = SQL(
            "SELECT originator_id, max(originator_version) FROM combatlog.ledger_events WHERE {} GROUP BY originator_id"
        )
        return [(row[0], row[1]) for row in self.select(query.format(between_positions(after, new)))] if new else []

    def head(self) -> dict[int, int]:
        """The position of a follower that has seen everything: the last settled event of each node.

        An event is included only together with all earlier events of its encounter, on any node.
        """
        settled = self.settled_nodes()
        if len(settled) == 1:
            return {0: self._last_upto(settled)}
        while crossing := [row[0] for row in self.select(_CROSSING.format(*_crossing(settled)))]:
            for notification in crossing:
                node = node_of(notification)
                settled[node] = min(settled[node], notification - 1)
        return {node: self._last_upto({node: mark}) for node, mark in settled.items()}

    def _last_upto(self, marks: LogPosition) -> int:
        query = SQL("SELECT coalesce(max(notification_id), 0) FROM combatlog.ledger_events WHERE {}")
        return int(self.select(query.format(between_positions({}, marks)))[0][0])

    def max_notification_id(self) -> int | None:
        """The last notification that a follower can reach."""
        return self._only(self.head()) or None

    def subscribe(self, gt: int | LogPosition | None = None, topics: Sequence[str] = ()) -> PollingSubscription:
        return PollingSubscription(self, {**self.followed, **as_position(gt)})

    # Rows

    def has(self, encounter: UUID) -> bool:
        """Whether there are any events of an encounter."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT FROM combatlog.ledger_events WHERE originator_id = %s LIMIT 1", (encounter,))
            return cursor.fetchone() is not None

    def select_rows(self, encounter: UUID, *, after: int = 0, upto: int | None = None) -> list[StoredRow]:
        """The events of an encounter in order, as plain rows for speed: a fight has thousands."""
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT originator_version, topic, state, hash FROM combatlog.ledger_events"
                " WHERE originator_id = %s AND originator_version > %s AND originator_version <= %s"
                " ORDER BY originator_version",
                (encounter, after, upto if upto is not None else _NO_END),
                prepare=True,
            )
            return [StoredRow._make(row) for row in cursor.fetchall()]

    def select_last(self, encounter: UUID, count: int) -> list[StoredRow]:
        """The last events of an encounter, in order."""
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT originator_version, topic, state, hash FROM combatlog.ledger_events WHERE originator_id = %s"
                " ORDER BY originator_version DESC LIMIT %s",
                (encounter, count),
            )
            return [StoredRow._make(row) for row in reversed(cursor.fetchall())]

    def stream_rows(
        self, upto: LogPosition, among: tuple[UUID, UUID] = ALL, *, shard: int | None = None
    ) -> Iterator[tuple[UUID, StoredRow]]:
        """Every event up to a position, encounter by encounter, without holding them all in memory.

        `among` is the range of encounter ids to read. A shard can be read on the node that has it.
        """
        table = Identifier("combatlog", "ledger_events" if shard is None else f"ledger_events_{shard}")
        with self._connection() as conn, conn.transaction(), conn.cursor("stream", binary=True) as cursor:
            conn.execute(NEVER_IDLE_TOO_LONG)
            cursor.row_factory = tuple_row
            cursor.itersize = _STREAMED
            cursor.execute(_STREAM.format(table, between_positions({}, upto)), among)
            for encounter, *row in cursor:
                yield encounter, StoredRow._make(row)

    def count_upto(self, position: LogPosition) -> int:
        return self.count_between({}, position)

    def count_between(self, after: LogPosition, upto: LogPosition) -> int:
        query = SQL("SELECT count(*) FROM combatlog.ledger_events WHERE {}")
        return int(self.select(query.format(between_positions(after, upto)))[0][0])

    def count_after(self, position: LogPosition) -> int:
        """How many events are recorded after a position, settled or not."""
        query = SQL("SELECT count(*) FROM combatlog.ledger_events WHERE {}")
        return int(self.select(query.format(beyond_position(position)))[0][0])

    def last_notifications(self) -> dict[int, int]:
        """The last recorded notification of each node, settled or not; 0 if there is none."""
        nodes = self.select(SQL("SELECT node FROM combatlog.settled_nodes()").format())
        return {node: self._last_upto({node: last_notification_of(node)}) for (node,) in nodes}

    def last_notification(self) -> int:
        """The highest recorded notification, settled or not; 0 if there is none."""
        return int(
            self.select(SQL("SELECT coalesce(max(notification_id), 0) FROM combatlog.ledger_events").format())[0][0]
        )

    def select_oldest_writer(self) -> UnfinishedTransaction | None:
        """The oldest transaction that followers are waiting for, if there is one."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT usename, xact_start FROM combatlog.writers() LEFT JOIN pg_stat_activity USING (pid)"
                " ORDER BY announced LIMIT 1"
            )
            found = cursor.fetchone()
            return UnfinishedTransaction._make(found) if found is not None else None

    def select_named(self, encounter: UUID, names: list[str], *, upto: int | None = None) -> list[tuple[str, bytes]]:
        """Name and state of the events with these names, plus those of the last event."""
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
        """Every encounter that has any events, even if its first one is missing."""
        with self._connection() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT originator_id FROM combatlog.ledger_events GROUP BY originator_id ORDER BY min(notification_id)"
            )
            return [row[0] for row in cursor.fetchall()]

    def select_facts(self) -> tuple[str, int, int, int]:
        """The versions of the server and the schema, and the numbers of encounters and events."""
        with self._connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(
                "SELECT current_setting('server_version'), version, encounters, events"
                " FROM (SELECT max(version) AS version FROM combatlog.schema_version) AS installed,"
                " (SELECT count(*) FILTER (WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked'))"
                " AS encounters, count(*) AS events FROM combatlog.ledger_events) AS recorded"
            )
            (facts,) = cursor.fetchall()
            return facts[0], facts[1], facts[2], facts[3]

    @contextmanager
    def hold(self) -> Iterator[psycopg.Connection[Any]]:
        """Use one connection for everything in this thread."""
        with as_problems(), cast(LedgerPool, self.datastore.pool).hold() as conn:
            yield conn

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Any]]:
        with as_problems(), self.datastore.get_connection() as conn:
            yield conn


def encounter_of(notification: Notification) -> UUID:
    """The encounter of a notification. The library also allows ids as strings."""
    found = notification.originator_id
    return found if isinstance(found, UUID) else UUID(found)


def _notification(number: int, encounter: UUID, seq: int, topic: str, state: bytes) -> Notification:
    return Notification(originator_id=encounter, originator_version=seq, topic=topic, state=state, id=number)


def _crossing(marks: LogPosition) -> tuple[Composable, Composable]:
    return between_positions({}, marks, "e.notification_id"), between_positions({}, marks, "p.notification_id")


@contextmanager
def _ending_the_turn(conn: psycopg.Connection[Any]) -> Iterator[None]:
    """Commit an append during a turn at once, so that others can continue. A failed append also ends the turn."""
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
