"""How far the read models have come, and how much they hold."""

from __future__ import annotations

from typing import NamedTuple

from psycopg.sql import SQL, Identifier

from ledger.store import Ledger
from projections.readmodels.catalogue import TABLES
from projections.readmodels.recorder import ReadModels
from projections.readmodels.session import session


class Status(NamedTuple):
    position: int
    """The notification up to which events are in."""
    head: int
    """The ledger's last notification."""
    behind: int
    """How many events are not in yet."""
    tables: dict[str, int]
    """Rows by table."""


def status_of(ledger: Ledger) -> Status:
    with session(ledger) as opened:
        position = opened.models.max_tracking_id(ledger.name) or 0
        head = ledger.recorder.max_notification_id() or 0
        behind = ledger.recorder.count_upto(head) - ledger.recorder.count_upto(position)
        return Status(position, head, max(0, behind), _rows(opened.models))


def _rows(view: ReadModels) -> dict[str, int]:
    counts = {}
    with view.datastore.transaction() as cursor:
        for name in TABLES:
            cursor.execute(SQL("SELECT count(*) AS number FROM {}").format(Identifier(view.schema, name)))
            row = cursor.fetchone()
            counts[name] = int(row["number"]) if row else 0
    return counts
