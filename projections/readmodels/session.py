"""A session with the read models: the ledger, its tables and the queries on them, all on one connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from ledger.connections import BorrowedDatastore, LedgerPool, is_read_only, keeps_settings
from ledger.errors import DatabaseProblem
from ledger.replica import ReplicaLedger
from ledger.store import Ledger
from projections.readmodels.ddl import SCHEMA
from projections.readmodels.recorder import Busy, ReadModels

PATIENCE = 10.0
"""Seconds that a question waits for another process to bring a batch of events in."""

_LONG_PATIENCE = 60.0
"""The same for somebody who wants nothing else."""


@dataclass(frozen=True, slots=True)
class Session:
    ledger: Ledger
    models: ReadModels
    conn: Connection[Any]

    def catch_up(self, *, patience: float | None = None) -> int:
        """Bring in everything that is recorded; how many events were new."""
        return self.models.catch_up(self.ledger, patience=patience)


@contextmanager
def session(ledger: Ledger) -> Iterator[Session]:
    """The read models of a ledger on the ledger's own connection, as they were last brought up to date."""
    datastore = ledger.recorder.datastore
    with ledger.recorder.hold() as conn, _own_rights(conn, ledger.role, datastore.idle_in_transaction_session_timeout):
        models = ReadModels(BorrowedDatastore(cast(LedgerPool, datastore.pool), SCHEMA))
        if isinstance(ledger, ReplicaLedger) and not models.are_there():
            raise DatabaseProblem("replica/no-read-models", "There are no read models on the replica yet.")
        models.create_table()
        yield Session(ledger, models, conn)


@contextmanager
def current_session(ledger: Ledger) -> Iterator[Session]:
    """A session that begins with everything that is recorded, or that a standby has received in the read models.

    If another process takes long to bring events in, it begins with what is there: `lag_of` tells what is missing.
    """
    if isinstance(ledger, ReplicaLedger):
        _bring_in_at_primary(ledger)
    with session(ledger) as opened:
        if not is_read_only(opened.conn):
            with suppress(Busy):
                opened.catch_up(patience=PATIENCE)
        yield opened


def _bring_in_at_primary(replica: ReplicaLedger) -> None:
    """A replica receives the read models like everything else, once they are current where they are written."""
    if replica.primary is None:
        return
    with session(replica.primary) as opened, suppress(Busy):
        opened.catch_up(patience=PATIENCE)
    replica.catch_up()


def catch_up(ledger: Ledger) -> int:
    with session(ledger) as opened:
        return opened.catch_up(patience=_LONG_PATIENCE)


@contextmanager
def _own_rights(conn: Connection[Any], role: str | None, patience: float) -> Iterator[None]:
    """The tables belong to the user, not to the ledger's role; and it may take its time between two statements.

    Behind a pooler, the connection has the user's rights and no time limit already.
    """
    if not keeps_settings(conn):
        yield
        return
    conn.execute("SET ROLE NONE; SET idle_in_transaction_session_timeout TO 0")
    try:
        yield
    finally:
        with suppress(psycopg.OperationalError):  # a connection that is lost takes its settings along
            usual = Identifier(role) if role is not None else SQL("NONE")
            seconds = int(patience * 1000)
            conn.execute(SQL("SET ROLE {}; SET idle_in_transaction_session_timeout TO {}").format(usual, seconds))
