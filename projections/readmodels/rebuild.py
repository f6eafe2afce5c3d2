"""Rebuild the read models while readers use the old ones, and distribute them with their ledger on a Citus cluster.

On a cluster, each process takes a shard at a time, reads it, and writes the rows on its node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import psycopg
from eventsourcing.persistence import OperationalError, ProgrammingError
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.exchange.backup import connected
from ledger.store.citus import SHARDS, Cluster, Shard, cluster_of, distribute, require_cluster, shards_of
from ledger.store.connections import driver_error
from ledger.store.ledger import LedgerStore
from ledger.store.positions import LogPosition
from ledger.store.recorder import NEVER_IDLE_TOO_LONG
from projections.processes import in_processes
from projections.readmodels import schema_and_login
from projections.readmodels.catalogue import TABLES
from projections.readmodels.projector import TableWriter
from projections.readmodels.recorder import ReadModels, execute_all, lock
from projections.readmodels.row_projection import ProjectedEncounter, is_large, projected_encounters, projected_in_range
from projections.readmodels.schema_and_login import SCHEMA, query_connection


class FilledShard(NamedTuple):
    """The result of projecting the events of a shard."""

    events: int
    rows: int


def fill_shards(schema: str, shards: Sequence[Shard], end: LogPosition, jobs: int) -> Iterator[FilledShard]:
    """All events up to a position. A shard being moved keeps them in its old place until Citus removes it there."""
    return in_processes(partial(_fill_shard, schema, end), shards, min(jobs, len(shards)), start="spawn")


def _fill_shard(schema: str, end: LogPosition, shard: Shard) -> FilledShard:
    events = 0
    with ReadModels.connect(shard.url, schema) as fresh, fresh.datastore.transaction(commit=True) as cursor:
        cursor.execute(NEVER_IDLE_TOO_LONG)
        writer = TableWriter(cursor, schema)
        for part in _parts_of(shard, end):
            writer.write(part.rows)
            events += part.events
        writer.flush()
    return FilledShard(events, writer.written)


def _parts_of(shard: Shard, end: LogPosition) -> Iterator[ProjectedEncounter]:
    try:
        yield from projected_in_range(shard.url, end, shard=shard.number)
    except ProgrammingError as error:
        if not isinstance(driver_error(error), psycopg.errors.UndefinedTable):
            raise
        raise Problem(
            "projections/shard-moved",
            "A shard was moved to another node in the middle of the rebuild, so nothing was changed; rebuild again.",
            shard=shard.number,
        ) from error


NEXT = f"{schema_and_login.SCHEMA}_next"
OLD = f"{schema_and_login.SCHEMA}_old"
"""The prefix of the names of schemas that were replaced."""
_PATIENCE_TO_DROP = 1.0
_PATIENCE_TO_REPLACE = 60.0
"""In seconds. Other processes bring in events by batches, so one that takes longer is stuck."""

_ON_A_WORKER = "CL003"
"""The error of `combatlog.lock_rebuilding` where tables cannot be created."""

_ONE_CONNECTION_PER_NODE = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'"
"""Without this setting, Citus refuses to rename a schema in the transaction."""

Progress = Callable[[int, int], None]
"""Called with the number of events done and the total."""


class Rebuilt(NamedTuple):
    events: int
    rows: int
    still_read: int
    """How many old schemas could not be dropped, because they are being read."""


def rebuild(url: str, progress: Progress = lambda done, total: None, *, jobs: int = 1) -> Rebuilt:
    """For a large ledger, `jobs` processes make the rows. One connection writes them in a single transaction.

    On a cluster, the processes also write them.
    """
    with LedgerStore(url) as ledger, ReadModels.connect(url, NEXT) as fresh:
        _drop(fresh, NEXT)
        with fresh.datastore.transaction(commit=True) as cursor:
            _one_at_a_time(cursor)
            cursor.execute(NEVER_IDLE_TOO_LONG)
            events, rows = _fill(cursor, fresh, ledger, progress, jobs)
            lock(cursor, _PATIENCE_TO_REPLACE, nodes=ledger.recorder.settled_nodes().keys())
            while fresh.bring_in_locked(cursor, ledger):
                """Events recorded in the meantime are brought in the usual way."""
            _take_the_place(cursor)
        dropped = [_drop(fresh, name) for name in _replaced(fresh)]
    return Rebuilt(events, rows, dropped.count(False))


def _replaced(fresh: ReadModels) -> list[str]:
    """Schemas that this rebuild or an earlier one has replaced."""
    with fresh.datastore.transaction() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s) ORDER BY nspname", (OLD,))
        return [str(row["nspname"]) for row in cursor.fetchall()]


def _drop(fresh: ReadModels, schema: str) -> bool:
    """Returns whether it could be dropped. If another rebuild has begun, dropping it is left to that one."""
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
    """Another process is rebuilding."""

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


def _fill(
    cursor: Cursor[DictRow], fresh: ReadModels, ledger: LedgerStore, progress: Progress, jobs: int
) -> tuple[int, int]:
    """Everything up to the end that the ledger had when this began."""
    end = ledger.recorder.head()
    total = ledger.recorder.count_upto(end)
    # Wherever a shard goes from now on, it has all events up to the end.
    shards = shards_of(ledger.url) if jobs > 1 and is_large(total) else []
    if shards:
        cursor.execute(_ONE_CONNECTION_PER_NODE)
        filled = _fill_by_shard(ledger.url, shards, end, jobs, lambda done: progress(done, total))
    else:
        filled = _fill_here(
            cursor, fresh, projected_encounters(ledger.url, end, total, jobs), lambda done: progress(done, total)
        )
    fresh.track(cursor, ledger, {node: last for node, last in end.items() if last})
    return filled


def _fill_here(
    cursor: Cursor[DictRow], fresh: ReadModels, parts: Iterable[ProjectedEncounter], progress: Callable[[int], None]
) -> tuple[int, int]:
    """In the transaction that swaps in the tables."""
    fresh.make_tables(cursor)
    writer = TableWriter(cursor, fresh.schema, freeze=True)
    done = 0
    for part in parts:
        writer.write(part.rows)
        done += part.events
        progress(done)
    writer.flush()
    _finish(cursor)
    return done, writer.written


def _fill_by_shard(
    url: str, shards: Sequence[Shard], end: LogPosition, jobs: int, progress: Callable[[int], None]
) -> tuple[int, int]:
    """In separate transactions, committed by several processes."""
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
    execute_all(cursor, schema_and_login.add_keys(NEXT))
    execute_all(cursor, _analyze())


def _analyze() -> Iterator[Any]:
    for name in TABLES:
        yield SQL("ANALYZE {}").format(Identifier(NEXT, name))


def _take_the_place(cursor: Cursor[DictRow]) -> None:
    """Only names change: running queries continue, and new ones find the new tables."""
    cursor.execute("SELECT oid FROM pg_namespace WHERE nspname = %s", (schema_and_login.SCHEMA,))
    if (found := cursor.fetchone()) is not None:
        old = Identifier(f"{OLD}_{found['oid']}")
        cursor.execute(SQL("ALTER SCHEMA {} RENAME TO {}").format(Identifier(schema_and_login.SCHEMA), old))
    cursor.execute(SQL("ALTER SCHEMA {} RENAME TO {}").format(Identifier(NEXT), Identifier(schema_and_login.SCHEMA)))


def examine_cluster(url: str) -> Cluster:
    """A preview of distributing a ledger; refused for the same reasons."""
    LedgerStore.open(url).close()
    with connected(url) as conn:
        cluster = cluster_of(conn)
        require_cluster(cluster)
        return cluster


def distribute_ledger(url: str, *, shards: int = SHARDS) -> Cluster:
    """Distribute the events, and place the tables of the read models with their encounters.

    The tables and the user for queries are created here if necessary, because only the coordinator can do that.
    """
    examine_cluster(url)
    ReadModels.open(url).datastore.close()
    with connected(url) as conn:
        with query_connection(conn):
            """From here on, the user exists."""
        return distribute(conn, shards=shards, schemas=(SCHEMA,))
