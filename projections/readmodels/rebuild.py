"""Rebuilding the read models while others go on reading the old ones.

One transaction creates a new schema, fills it with COPY and puts it in place of the old one. A rebuild that is killed
leaves nothing behind. Other processes keep the old tables current until the last moment. Then they wait, the new
tables catch up, and the schemas are renamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from eventsourcing.persistence import Tracking
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.recorder import NEVER_IDLE_TOO_LONG, Row
from ledger.store import Ledger
from projections.readmodels import ddl
from projections.readmodels.catalogue import TABLES
from projections.readmodels.recorder import ReadModels, execute_all, lock
from projections.readmodels.row_projection import RowProjection, past_of
from projections.readmodels.writer import Writer

NEXT = f"{ddl.SCHEMA}_next"
OLD = f"{ddl.SCHEMA}_old"

Progress = Callable[[int, int], None]
"""Called with how many of how many events are in."""


class Rebuilt(NamedTuple):
    events: int
    rows: int


def rebuild(url: str, progress: Progress = lambda done, total: None) -> Rebuilt:
    with Ledger(url) as ledger, ReadModels.connect(url, NEXT) as fresh:
        with fresh.datastore.transaction(commit=True) as cursor:
            _one_at_a_time(cursor)
            cursor.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(OLD)))
        with fresh.datastore.transaction(commit=True) as cursor:
            _one_at_a_time(cursor)
            cursor.execute(NEVER_IDLE_TOO_LONG)
            rebuilt = _fill(cursor, fresh, ledger, Ledger(url), progress)
            lock(cursor)
            while fresh.bring_in_locked(cursor, ledger):
                """What was recorded in the meantime comes in the usual way."""
            _take_the_place(cursor)
        with fresh.datastore.transaction(commit=True) as cursor:
            cursor.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(OLD)))
    return rebuilt


def _one_at_a_time(cursor: Cursor[DictRow]) -> None:
    try:
        cursor.execute("SELECT combatlog.lock_rebuilding()")
    except psycopg.errors.LockNotAvailable as error:
        raise Problem(
            "projections/rebuilding", "The read models are already being rebuilt; wait until it is done."
        ) from error


def _fill(cursor: Cursor[DictRow], fresh: ReadModels, ledger: Ledger, source: Ledger, progress: Progress) -> Rebuilt:
    """Everything up to what was the end of the ledger when this began."""
    fresh.make_tables(cursor)
    end = ledger.recorder.max_notification_id() or 0
    total = ledger.recorder.count_upto(end)
    writer = Writer(cursor, fresh.schema, freeze=True)
    done = 0
    with source:
        for encounter, rows in groupby(source.recorder.stream_rows(end), key=lambda pair: pair[0]):
            done += write_encounter(writer, ledger, encounter, [row for _, row in rows])
            progress(done, total)
    writer.flush()
    execute_all(cursor, ddl.add_keys(fresh.schema))
    execute_all(cursor, _analyze())
    if end:
        fresh._insert_tracking(cursor, Tracking(ledger.name, end))
    return Rebuilt(done, writer.written)


def write_encounter(writer: Writer, ledger: Ledger, encounter: UUID, rows: list[Row]) -> int:
    projection = RowProjection(encounter, past_of(ledger, encounter, rows[0].seq))
    for row in rows:
        projection.feed(row)
    writer.write(projection.take_facts())
    writer.write(projection.state())
    return len(rows)


def _analyze() -> Iterator[Any]:
    for name in TABLES:
        yield SQL("ANALYZE {}").format(Identifier(NEXT, name))


def _take_the_place(cursor: Cursor[DictRow]) -> None:
    """Only names change: queries that are running go on, and those that begin find the new tables."""
    cursor.execute("SELECT FROM pg_namespace WHERE nspname = %s", (ddl.SCHEMA,))
    if cursor.fetchone() is not None:
        cursor.execute(SQL("ALTER SCHEMA {} RENAME TO {}").format(Identifier(ddl.SCHEMA), Identifier(OLD)))
    cursor.execute(SQL("ALTER SCHEMA {} RENAME TO {}").format(Identifier(NEXT), Identifier(ddl.SCHEMA)))
