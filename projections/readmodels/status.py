"""How far the read models have come, and how much they hold."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from psycopg.sql import SQL, Identifier

from ledger.positions import Position
from ledger.store import Ledger
from projections.readmodels.catalogue import TABLES
from projections.readmodels.lag import Lag, lag_in
from projections.readmodels.recorder import ReadModels
from projections.readmodels.row_projection import SET_ASIDE
from projections.readmodels.session import session


class SetAside(NamedTuple):
    """The first event of an encounter that cannot be read; it and what follows it is left out."""

    encounter: UUID
    seq: int
    events: int
    reason: str


class Status(NamedTuple):
    position: Position
    """The notification of each node up to which events are in."""
    head: Position
    """The last notification of each node."""
    lag: Lag
    tables: dict[str, int]
    """Rows by table."""
    set_aside: list[SetAside]
    """What cannot be read and is therefore left out."""


def status_of(ledger: Ledger) -> Status:
    with session(ledger) as opened:
        head = ledger.recorder.last_notifications()
        position = dict.fromkeys(head, 0) | opened.models.position(ledger)
        return Status(position, head, lag_in(opened), _rows(opened.models), _set_aside(opened.models))


def _rows(view: ReadModels) -> dict[str, int]:
    counts = {}
    with view.datastore.transaction() as cursor:
        for name in TABLES:
            cursor.execute(SQL("SELECT count(*) AS number FROM {}").format(Identifier(view.schema, name)))
            row = cursor.fetchone()
            counts[name] = int(row["number"]) if row else 0
    return counts


def _set_aside(view: ReadModels) -> list[SetAside]:
    with view.datastore.transaction() as cursor:
        query = SQL("SELECT encounter, seq, events, reason FROM {} ORDER BY encounter, seq")
        cursor.execute(query.format(Identifier(view.schema, SET_ASIDE)))
        return [SetAside(**row) for row in cursor.fetchall()]
