"""A session with the read models on one connection, and their status: their position and size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, cast
from uuid import UUID

import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from ledger.errors import DatabaseProblem
from ledger.store.connections import BorrowedDatastore, LedgerPool, is_read_only, keeps_settings
from ledger.store.ledger import LedgerStore
from ledger.store.positions import LogPosition
from ledger.store.recorder import UnfinishedTransaction
from ledger.store.replica import ReplicaLedger
from projections.readmodels.catalogue import TABLES
from projections.readmodels.recorder import Busy, ReadModels
from projections.readmodels.row_projection import SET_ASIDE
from projections.readmodels.schema_and_login import SCHEMA

PATIENCE = 10.0
"""Seconds that a query waits while another process brings in a batch of events."""

_LONG_PATIENCE = 60.0
"""The same where bringing in events is the only purpose."""


@dataclass(frozen=True, slots=True)
class ReadModelSession:
    ledger: LedgerStore
    models: ReadModels
    conn: Connection[Any]

    def catch_up(self, *, patience: float | None = None) -> int:
        """Bring in everything recorded so far, and return how many events were new."""
        return self.models.catch_up(self.ledger, patience=patience)


@contextmanager
def session(ledger: LedgerStore) -> Iterator[ReadModelSession]:
    """The read models of a ledger on the ledger's own connection, as they were last updated."""
    datastore = ledger.recorder.datastore
    with ledger.recorder.hold() as conn, _own_rights(conn, ledger.role, datastore.idle_in_transaction_session_timeout):
        models = ReadModels(BorrowedDatastore(cast(LedgerPool, datastore.pool), SCHEMA))
        if isinstance(ledger, ReplicaLedger) and not models.are_there():
            raise DatabaseProblem("replica/no-read-models", "There are no read models on the replica yet.")
        models.create_table()
        yield ReadModelSession(ledger, models, conn)


@contextmanager
def current_session(ledger: LedgerStore) -> Iterator[ReadModelSession]:
    """A session that begins with everything recorded so far, or with everything a standby has received in the read
    models.

    If another process takes long to bring in events, the session begins without them: `lag_of` tells what is missing.
    """
    if isinstance(ledger, ReplicaLedger):
        _bring_in_at_primary(ledger)
    with session(ledger) as opened:
        if not is_read_only(opened.conn):
            with suppress(Busy):
                opened.catch_up(patience=PATIENCE)
        yield opened


def _bring_in_at_primary(replica: ReplicaLedger) -> None:
    """A replica receives the read models like everything else, once they are current on the primary."""
    if replica.primary is None:
        return
    with session(replica.primary) as opened, suppress(Busy):
        opened.catch_up(patience=PATIENCE)
    replica.catch_up()


def catch_up(ledger: LedgerStore) -> int:
    with session(ledger) as opened:
        return opened.catch_up(patience=_LONG_PATIENCE)


@contextmanager
def _own_rights(conn: Connection[Any], role: str | None, patience: float) -> Iterator[None]:
    """The tables belong to the user, not to the ledger's role, and no timeout applies between two statements.

    Behind a pooler, the connection already has the user's rights and no timeout.
    """
    if not keeps_settings(conn):
        yield
        return
    conn.execute("SET ROLE NONE; SET idle_in_transaction_session_timeout TO 0")
    try:
        yield
    finally:
        with suppress(psycopg.OperationalError):  # a lost connection takes its settings along
            usual = Identifier(role) if role is not None else SQL("NONE")
            seconds = int(patience * 1000)
            conn.execute(SQL("SET ROLE {}; SET idle_in_transaction_session_timeout TO {}").format(usual, seconds))


class ReadModelLag(NamedTuple):
    events: int
    """How many recorded events are not in the read models yet."""
    writer: UnfinishedTransaction | None
    """The transaction that they wait for: its events may belong before those already recorded."""
    is_read_only: bool
    """On a standby events cannot be brought in; they arrive from the primary."""


def lag_of(ledger: LedgerStore) -> ReadModelLag:
    with session(ledger) as opened:
        return lag_in(opened)


def lag_in(opened: ReadModelSession) -> ReadModelLag:
    recorder = opened.ledger.recorder
    events = recorder.count_after(opened.models.position(opened.ledger))
    return ReadModelLag(events, recorder.select_oldest_writer() if events else None, is_read_only(opened.conn))


class SetAsideEncounter(NamedTuple):
    """The first unreadable event of an encounter. It and everything after it are left out."""

    encounter: UUID
    seq: int
    events: int
    reason: str


class ReadModelProgress(NamedTuple):
    position: LogPosition
    """For each node, the last notification that is in the tables."""
    head: LogPosition
    """For each node, its last notification."""
    lag: ReadModelLag
    tables: dict[str, int]
    """Rows by table."""
    set_aside: list[SetAsideEncounter]
    """The encounters that are left out because they cannot be read."""


def status_of(ledger: LedgerStore) -> ReadModelProgress:
    with session(ledger) as opened:
        head = ledger.recorder.last_notifications()
        position = dict.fromkeys(head, 0) | opened.models.position(ledger)
        return ReadModelProgress(position, head, lag_in(opened), _rows(opened.models), _set_aside(opened.models))


def _rows(view: ReadModels) -> dict[str, int]:
    counts = {}
    with view.datastore.transaction() as cursor:
        for name in TABLES:
            cursor.execute(SQL("SELECT count(*) AS number FROM {}").format(Identifier(view.schema, name)))
            row = cursor.fetchone()
            counts[name] = int(row["number"]) if row else 0
    return counts


def _set_aside(view: ReadModels) -> list[SetAsideEncounter]:
    with view.datastore.transaction() as cursor:
        query = SQL("SELECT encounter, seq, events, reason FROM {} ORDER BY encounter, seq")
        cursor.execute(query.format(Identifier(view.schema, SET_ASIDE)))
        return [SetAsideEncounter(**row) for row in cursor.fetchall()]
