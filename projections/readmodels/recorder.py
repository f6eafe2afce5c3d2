"""The read models in PostgreSQL: the library's tracking recorder, with our tables beside its tracking table.

Every batch of events is written in one transaction with the position it leads to, so no event is counted twice or
skipped. A lock lets one process at a time bring in events; a process that waited for it finds the work done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any, Self, cast

import psycopg
from eventsourcing.persistence import Notification, Tracking
from eventsourcing.postgres import PostgresDatastore, PostgresTrackingRecorder
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Identifier

from ledger.errors import Problem
from ledger.store.connections import LedgerPool, settings_of
from ledger.store.ledger import LedgerStore
from ledger.store.positions import LogPosition, position_after
from projections.readmodels import schema_and_login
from projections.readmodels.projector import project
from projections.readmodels.reading import ensure_role, once_in_place
from projections.readmodels.row_projection import KeptProjections

BATCH = 2000
_OF_NODE = "@"
"""Separates a ledger's name from a node's number in the tracking table."""


class ReadModels(PostgresTrackingRecorder):
    """The tables of one schema and their position."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        super().__init__(datastore)
        self.kept = KeptProjections()

    @classmethod
    def connect(cls, url: str, schema: str = schema_and_login.SCHEMA) -> Self:
        """Like the library's factory, but with every setting that a URL can have."""
        known = settings_of(url)
        plain = {name: str(known.get(name, "")) for name in ("dbname", "host", "port", "user", "password")}
        datastore = PostgresDatastore(**plain, schema=schema)  # type: ignore[arg-type]
        datastore.pool = LedgerPool(datastore, known)
        return cls(datastore)

    @classmethod
    def open(cls, url: str) -> Self:
        """Connect, and create the tables on first use. Tables of another version are refused."""
        view = cls.connect(url)
        view.create_table()
        return view

    @property
    def schema(self) -> str:
        return self.datastore.schema

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.datastore.close()

    # Tables

    def create_table(self) -> None:
        with self.datastore.transaction(commit=True) as cursor:
            form = self._form(cursor) or self._first_form(cursor)
        if form != schema_and_login.FINGERPRINT:
            raise Problem(
                "projections/other-form",
                "The read models were created by another version of combatlog and have to be rebuilt.",
                found=form,
                needed=schema_and_login.FINGERPRINT,
            )

    def are_there(self) -> bool:
        with self.datastore.transaction() as cursor:
            return self._form(cursor) is not None

    def _first_form(self, cursor: Cursor[DictRow]) -> str:
        """Create the tables, unless another process has done so in the meantime."""
        lock(cursor)
        if (form := self._form(cursor)) is not None:
            return form
        self.make_tables(cursor)
        execute_all(cursor, schema_and_login.add_keys(self.schema))
        return schema_and_login.FINGERPRINT

    def make_tables(self, cursor: Cursor[DictRow]) -> None:
        """A new schema with every table, without keys, at position 0."""
        reader = ensure_role(cursor)
        cursor.execute(SQL("CREATE SCHEMA {}").format(Identifier(self.schema)))
        self._create_table(cursor)
        execute_all(cursor, schema_and_login.create_tables(self.schema))
        cursor.execute("SELECT combatlog.distribute_read_models(%s)", (self.schema,))
        if reader is not None:
            execute_all(cursor, schema_and_login.allow_reading(self.schema, reader))

    def _form(self, cursor: Cursor[DictRow]) -> str | None:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL AS there", (f"{self.schema}.{schema_and_login.FORM}",))
        if not cast(DictRow, cursor.fetchone())["there"]:
            return None
        cursor.execute(SQL("SELECT fingerprint FROM {}").format(Identifier(self.schema, schema_and_login.FORM)))
        return str(cast(DictRow, cursor.fetchone())["fingerprint"])

    # Events

    def position(self, ledger: LedgerStore) -> dict[int, int]:
        """For each node, the last notification that is in the tables."""
        return once_in_place(lambda: self._position_now(ledger))

    def _position_now(self, ledger: LedgerStore) -> dict[int, int]:
        with self.datastore.get_connection() as conn, conn.cursor() as cursor:
            return self._position(cursor, ledger)

    def _position(self, cursor: Cursor[DictRow], ledger: LedgerStore) -> dict[int, int]:
        cursor.execute(tracked(self.schema), (ledger.name,), prepare=True)
        return position_after({}, (row["notification_id"] for row in cursor.fetchall()))

    def track(self, cursor: Cursor[DictRow], ledger: LedgerStore, position: LogPosition) -> None:
        """Record the position of the tables: a row for each node, which only ever goes forward."""
        for node, notification in position.items():
            name = f"{ledger.name}{_OF_NODE}{node}" if node else ledger.name
            self._insert_tracking(cursor, Tracking(name, notification))

    def catch_up(self, ledger: LedgerStore, *, patience: float | None = None) -> int:
        """Bring in everything new, and return how many events that was."""
        new = 0
        while count := self.bring_in(ledger, patience=patience):
            new += count
        return new

    def bring_in(self, ledger: LedgerStore, *, limit: int = BATCH, patience: float | None = None) -> int:
        """Bring in the next batch of events, node by node. Other processes may bring in another node's at the same
        time."""
        marks = ledger.recorder.settled_nodes()
        return sum(once_in_place(partial(self._bring_in_of, node, ledger, marks, limit, patience)) for node in marks)

    def _bring_in_of(
        self, node: int, ledger: LedgerStore, marks: LogPosition, limit: int, patience: float | None
    ) -> int:
        """One transaction, together with the position that it leads to."""
        if len(marks) > 1 and marks[node] <= self._position_now(ledger).get(node, 0):
            return 0
        try:
            with self.datastore.transaction(commit=True) as cursor:
                lock(cursor, patience, nodes=(node,))
                return self.bring_in_locked(cursor, ledger, marks, limit=limit, nodes=(node,))
        except BaseException:
            self.kept.forget()
            raise

    def bring_in_locked(
        self,
        cursor: Cursor[DictRow],
        ledger: LedgerStore,
        marks: LogPosition | None = None,
        *,
        limit: int = BATCH,
        nodes: Collection[int] | None = None,
    ) -> int:
        position = self._position(cursor, ledger)
        settled = ledger.recorder.settled_nodes() if marks is None else marks
        notifications = ledger.recorder.select_after(position, limit, marks=settled, nodes=nodes)
        if notifications:
            if len(settled) > 1:
                self._wait_for_the_one_before(cursor, notifications)
            project(cursor, self.schema, ledger, notifications, self.kept)
            self.track(cursor, ledger, position_after({}, (notification.id for notification in notifications)))
        return len(notifications)

    def _wait_for_the_one_before(self, cursor: Cursor[DictRow], notifications: Sequence[Notification]) -> None:
        """The nodes of a cluster commit one after another, so the previous batch may not be visible everywhere yet."""
        encounters = sorted({str(notification.originator_id) for notification in notifications})
        query = SQL(
            "INSERT INTO {table} AS known SELECT encounter, 1 FROM unnest(%s::uuid[]) AS encounter"
            " ON CONFLICT (encounter) DO UPDATE SET batches = known.batches + 1"
        ).format(table=Identifier(self.schema, "followed_encounters"))
        cursor.execute(query, (encounters,))


def tracked(schema: str) -> Composed:
    """The query for the position of a schema's tables: for each node, the last notification."""
    return SQL("SELECT notification_id FROM {} WHERE split_part(application_name, '@', 1) = %s").format(
        Identifier(schema, "notification_tracking")
    )


class Busy(Problem):
    """Another process is bringing in events, and waiting for it took too long."""

    def __init__(self) -> None:
        super().__init__(
            "projections/busy", "Another process is bringing events into the read models and takes long; try again."
        )


def lock(cursor: Cursor[Any], patience: float | None = None, *, nodes: Collection[int] = (0,)) -> None:
    """Only one process at a time brings in the events of a node. By default it waits without a limit."""
    milliseconds = int(patience * 1000) if patience is not None else 0
    calls = SQL("; ").join(SQL("SELECT combatlog.lock_projecting({})").format(node) for node in sorted(nodes))
    try:
        cursor.execute(SQL("SET LOCAL lock_timeout = {}; {}").format(milliseconds, calls), prepare=False)
    except psycopg.errors.LockNotAvailable as error:
        raise Busy from error


def execute_all(cursor: Cursor[Any], statements: Iterable[Composed]) -> None:
    for statement in statements:
        cursor.execute(statement, prepare=False)
