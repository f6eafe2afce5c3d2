"""The read models in PostgreSQL: the library's tracking recorder, with our tables beside its tracking table.

Every batch of events is written in one transaction with the position it leads to, so no event is ever counted twice or
skipped. A lock lets one process at a time bring events in; whoever waited for it finds the work done.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, cast

import psycopg
from eventsourcing.persistence import Tracking
from eventsourcing.postgres import PostgresDatastore, PostgresTrackingRecorder
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Identifier

from ledger.connections import LedgerPool, settings_of
from ledger.errors import Problem
from ledger.store import Ledger
from projections.readmodels import ddl
from projections.readmodels.kept_projections import KeptProjections
from projections.readmodels.projector import project
from projections.readmodels.reading import ensure_role

BATCH = 2000


class ReadModels(PostgresTrackingRecorder):
    """The tables of one schema and how far they have come."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        super().__init__(datastore)
        self.kept = KeptProjections()

    @classmethod
    def connect(cls, url: str, schema: str = ddl.SCHEMA) -> Self:
        """As the library's factory does, but with every setting that a URL can have."""
        known = settings_of(url)
        plain = {name: str(known.get(name, "")) for name in ("dbname", "host", "port", "user", "password")}
        datastore = PostgresDatastore(**plain, schema=schema)  # type: ignore[arg-type]
        datastore.pool = LedgerPool(datastore, known)
        return cls(datastore)

    @classmethod
    def open(cls, url: str) -> Self:
        """Connect, and create the tables on first use; refuse tables of another form."""
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
        if form != ddl.FINGERPRINT:
            raise Problem(
                "projections/other-form",
                "The read models were created by another version of combatlog and have to be rebuilt.",
                found=form,
                needed=ddl.FINGERPRINT,
            )

    def _first_form(self, cursor: Cursor[DictRow]) -> str:
        """Create the tables, unless another process has done so in the meantime."""
        lock(cursor)
        if (form := self._form(cursor)) is not None:
            return form
        self.make_tables(cursor)
        execute_all(cursor, ddl.add_keys(self.schema))
        return ddl.FINGERPRINT

    def make_tables(self, cursor: Cursor[DictRow]) -> None:
        """A new schema with every table, without keys, at position 0."""
        reader = ensure_role(cursor)
        cursor.execute(SQL("CREATE SCHEMA {}").format(Identifier(self.schema)))
        self._create_table(cursor)
        execute_all(cursor, ddl.create_tables(self.schema))
        if reader is not None:
            execute_all(cursor, ddl.allow_reading(self.schema, reader))

    def _form(self, cursor: Cursor[DictRow]) -> str | None:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL AS there", (f"{self.schema}.{ddl.FORM}",))
        if not cast(DictRow, cursor.fetchone())["there"]:
            return None
        cursor.execute(SQL("SELECT fingerprint FROM {}").format(Identifier(self.schema, ddl.FORM)))
        return str(cast(DictRow, cursor.fetchone())["fingerprint"])

    # Events

    def catch_up(self, ledger: Ledger, *, upto: int | None = None, patience: float | None = None) -> int:
        """Bring in everything up to a notification, or all there is, and return how many events were new."""
        new = 0
        while count := self.bring_in(ledger, upto=upto, patience=patience):
            new += count
        return new

    def bring_in(
        self, ledger: Ledger, *, upto: int | None = None, limit: int = BATCH, patience: float | None = None
    ) -> int:
        """Bring in the next batch of events, in one transaction with the position it leads to."""
        try:
            with self.datastore.transaction(commit=True) as cursor:
                lock(cursor, patience)
                return self.bring_in_locked(cursor, ledger, upto=upto, limit=limit)
        except BaseException:
            self.kept.forget()
            raise

    def bring_in_locked(
        self, cursor: Cursor[DictRow], ledger: Ledger, *, upto: int | None = None, limit: int = BATCH
    ) -> int:
        position = self._max_tracking_id(ledger.name, cursor)
        notifications = ledger.recorder.select_notifications(
            start=position, limit=limit, stop=upto, inclusive_of_start=False
        )
        if notifications:
            project(cursor, self.schema, ledger, notifications, self.kept)
            self._insert_tracking(cursor, Tracking(ledger.name, notifications[-1].id))
        return len(notifications)


class Busy(Problem):
    """Another process is bringing events in and was not waited for any longer."""

    def __init__(self) -> None:
        super().__init__(
            "projections/busy", "Another process is bringing events into the read models and takes long; try again."
        )


def lock(cursor: Cursor[Any], patience: float | None = None) -> None:
    """One at a time brings events in. By default it waits as long as it takes."""
    milliseconds = int(patience * 1000) if patience is not None else 0
    try:
        cursor.execute(
            SQL("SET LOCAL lock_timeout = {}; SELECT combatlog.lock_projecting()").format(milliseconds), prepare=False
        )
    except psycopg.errors.LockNotAvailable as error:
        raise Busy from error


def execute_all(cursor: Cursor[Any], statements: Iterable[Composed]) -> None:
    for statement in statements:
        cursor.execute(statement, prepare=False)
