"""Rebuilding the read models while others go on reading the old ones.

One transaction creates a new schema, fills it with COPY and puts it in place of the old one. A rebuild that is killed
leaves nothing behind. Other processes keep the old tables current until the last moment. Then they wait, the new
tables catch up, and the schemas are renamed.

On a cluster, several processes can fill the tables, each on the node that has the events. These tables are committed
before they are in place, so a rebuild that is killed may leave them behind; the next one removes them.

Whoever is reading the old tables finishes on them, and nobody waits for that: tables that are still being read stay,
under a name of their own, until a later rebuild.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import psycopg
from eventsourcing.persistence import OperationalError
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.positions import Position
from ledger.recorder import NEVER_IDLE_TOO_LONG
from ledger.shards import Shard, shards_of
from ledger.store import Ledger
from projections.readmodels import ddl
from projections.readmodels.by_shard import fill_shards
from projections.readmodels.catalogue import TABLES
from projections.readmodels.parts import Part, is_large, parts_of
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

_ONE_CONNECTION_PER_NODE = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'"
"""Otherwise Citus refuses to rename a schema in the transaction; where the tables are made, it is set already."""

Progress = Callable[[int, int], None]
"""Called with how many of how many events are in."""


class Rebuilt(NamedTuple):
    events: int
    rows: int
    still_read: int
    """How many old schemas could not be dropped, because somebody is reading them."""


def rebuild(url: str, progress: Progress = lambda done, total: None, *, jobs: int = 1) -> Rebuilt:
    """Of a large ledger, `jobs` processes make the rows. One connection writes them, in its one transaction.

    On a cluster, the processes write them, too.
    """
    with Ledger(url) as ledger, ReadModels.connect(url, NEXT) as fresh:
        _drop(fresh, NEXT)
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
    end = ledger.recorder.head()
    total = ledger.recorder.count_upto(end)
    # Wherever a shard is from now on, it has all events up to the end.
    shards = shards_of(ledger.url) if jobs > 1 and is_large(total) else []
    if shards:
        cursor.execute(_ONE_CONNECTION_PER_NODE)
        filled = _fill_by_shard(ledger.url, shards, end, jobs, lambda done: progress(done, total))
    else:
        filled = _fill_here(cursor, fresh, parts_of(ledger.url, end, total, jobs), lambda done: progress(done, total))
    fresh.track(cursor, ledger, {node: last for node, last in end.items() if last})
    return filled


def _fill_here(
    cursor: Cursor[DictRow], fresh: ReadModels, parts: Iterable[Part], progress: Callable[[int], None]
) -> tuple[int, int]:
    """In the transaction that puts the tables in place."""
    fresh.make_tables(cursor)
    writer = Writer(cursor, fresh.schema, freeze=True)
    done = 0
    for part in parts:
        writer.write(part.rows)
        done += part.events
        progress(done)
    writer.flush()
    _finish(cursor)
    return done, writer.written


def _fill_by_shard(
    url: str, shards: Sequence[Shard], end: Position, jobs: int, progress: Callable[[int], None]
) -> tuple[int, int]:
    """In transactions of their own, which several processes commit."""
    events = rows = 0
    with ReadModels.connect(url, NEXT) as others:
        with others.datastore.transaction(commit=True) as cursor:
            others.make_tables(cursor)
        try:
            for filled in fill_shards(NEXT, shards, end, jobs):
                events, rows = events + filled.events, rows + filled.rows
                progress(events)
            with others.datastore.transaction(commit=True) as cursor:
                _finish(cursor)
        except BaseException:
            with others.datastore.transaction(commit=True) as cursor:
                cursor.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(NEXT)))
            raise
    return events, rows


def _finish(cursor: Cursor[DictRow]) -> None:
    execute_all(cursor, ddl.add_keys(NEXT))
    execute_all(cursor, _analyze())


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
