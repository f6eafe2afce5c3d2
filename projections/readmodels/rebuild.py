"""Rebuilding the read models while others go on reading the old ones.

One transaction creates a new schema, fills it with COPY and puts it in place of the old one. A rebuild that is killed
leaves nothing behind. Other processes keep the old tables current until the last moment. Then they wait, the new
tables catch up, and the schemas are renamed.

Whoever is reading the old tables finishes on them, and nobody waits for that: tables that are still being read stay,
under a name of their own, until a later rebuild.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import psycopg
from eventsourcing.persistence import OperationalError
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.recorder import NEVER_IDLE_TOO_LONG
from ledger.store import Ledger
from projections.readmodels import ddl
from projections.readmodels.catalogue import TABLES
from projections.readmodels.parts import parts_of
from projections.readmodels.recorder import ReadModels, execute_all, lock
from projections.readmodels.writer import Writer

NEXT = f"{ddl.SCHEMA}_next"
OLD = f"{ddl.SCHEMA}_old"
"""How the names of schemas begin that were replaced."""
_PATIENCE_TO_DROP = 1.0
_PATIENCE_TO_REPLACE = 60.0
"""Seconds: others bring events in by batches, so whoever takes longer is stuck."""

_ON_A_WORKER = "CL003"
"""What `combatlog.lock_rebuilding` says where tables cannot be created."""

Progress = Callable[[int, int], None]
"""Called with how many of how many events are in."""


class Rebuilt(NamedTuple):
    events: int
    rows: int
    still_read: int
    """How many old schemas could not be dropped, because somebody is reading them."""


def rebuild(url: str, progress: Progress = lambda done, total: None, *, jobs: int = 1) -> Rebuilt:
    """Of a large ledger, `jobs` processes make the rows. One connection writes them, in its one transaction."""
    with Ledger(url) as ledger, ReadModels.connect(url, NEXT) as fresh:
        with fresh.datastore.transaction(commit=True) as cursor:
            _one_at_a_time(cursor)
            cursor.execute(NEVER_IDLE_TOO_LONG)
            events, rows = _fill(cursor, fresh, ledger, progress, jobs)
            lock(cursor, _PATIENCE_TO_REPLACE, nodes=ledger.recorder.settled_nodes().keys())
            while fresh.bring_in_locked(cursor, ledger):
                """What was recorded in the meantime comes in the usual way."""
            _take_the_place(cursor)
        dropped = [_drop(fresh, name) for name in _replaced(fresh)]
    return Rebuilt(events, rows, dropped.count(False))


def _replaced(fresh: ReadModels) -> list[str]:
    """Schemas that this rebuild or an earlier one has replaced."""
    with fresh.datastore.transaction() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s) ORDER BY nspname", (OLD,))
        return [str(row["nspname"]) for row in cursor.fetchall()]


def _drop(fresh: ReadModels, schema: str) -> bool:
    """Whether it could be dropped. If another rebuild has begun, it is left to that one."""
    try:
        with fresh.datastore.transaction(commit=True) as cursor:
            _one_at_a_time(cursor)
            cursor.execute(SQL("SET LOCAL lock_timeout = {}").format(int(_PATIENCE_TO_DROP * 1000)))
            cursor.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(schema)))
    except OperationalError as error:
        if not isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
            raise
        return False
    except Rebuilding:
        return False
    return True


class Rebuilding(Problem):
    """Somebody else is at it."""

    def __init__(self) -> None:
        super().__init__("projections/rebuilding", "The read models are already being rebuilt; wait until it is done.")


def _one_at_a_time(cursor: Cursor[DictRow]) -> None:
    try:
        cursor.execute("SELECT combatlog.lock_rebuilding()")
    except psycopg.errors.LockNotAvailable as error:
        raise Rebuilding from error
    except psycopg.Error as error:
        if error.sqlstate != _ON_A_WORKER:
            raise
        raise Problem(
            "projections/not-coordinator",
            "This is a worker of a Citus cluster; the read models are rebuilt on its coordinator.",
        ) from error


def _fill(cursor: Cursor[DictRow], fresh: ReadModels, ledger: Ledger, progress: Progress, jobs: int) -> tuple[int, int]:
    """Everything up to what was the end of the ledger when this began."""
    fresh.make_tables(cursor)
    end = ledger.recorder.head()
    total = ledger.recorder.count_upto(end)
    writer = Writer(cursor, fresh.schema, freeze=True)
    done = 0
    for part in parts_of(ledger.url, end, total, jobs):
        writer.write(part.rows)
        done += part.events
        progress(done, total)
    writer.flush()
    execute_all(cursor, ddl.add_keys(fresh.schema))
    execute_all(cursor, _analyze())
    fresh.track(cursor, ledger, {node: last for node, last in end.items() if last})
    return done, writer.written


def _analyze() -> Iterator[Any]:
    for name in TABLES:
        yield SQL("ANALYZE {}").format(Identifier(NEXT, name))


def _take_the_place(cursor: Cursor[DictRow]) -> None:
    """Only names change: queries that are running go on, and those that begin find the new tables."""
    cursor.execute("SELECT oid FROM pg_namespace WHERE nspname = %s", (ddl.SCHEMA,))
    if (found := cursor.fetchone()) is not None:
        old = Identifier(f"{OLD}_{found['oid']}")
        cursor.execute(SQL("ALTER SCHEMA {} RENAME TO {}").format(Identifier(ddl.SCHEMA), old))
    cursor.execute(SQL("ALTER SCHEMA {} RENAME TO {}").format(Identifier(NEXT), Identifier(ddl.SCHEMA)))
