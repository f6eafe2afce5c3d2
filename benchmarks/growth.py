"""How large a ledger is, and how fast one server appends, reads and follows as it grows."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from uuid import UUID

import psutil
import psycopg

import combatlog
from benchmarks.measure import BenchmarkResult, compare, empty_ledger
from benchmarks.sample_fights import StoredRow, Template, copy_of, fill, templates
from ledger.store.appending import BlobArray, EventBatch, TextArray
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import rebuild
from projections.readmodels.schema_and_login import SCHEMA

AIM = 0.7
"""Appending to a full ledger, against an empty one."""
EVENTS = 100_000
PARTITIONS = 16
_LIVE = 200
"""Fights that go on at the same time."""
_AT_ONCE = 11
"""Events of a strike with Protection."""
_COPIED = 500_000
_EVENTS = "combatlog.ledger_events"
_INDEXES = (
    "CREATE UNIQUE INDEX ON {table} (originator_id) WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked')",
    "CREATE INDEX ON {table} (notification_id) WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked')",
)
_VARIANTS = {
    "other.as_it_is": ("", "CREATE UNIQUE INDEX ON {table} (notification_id)"),
    "other.partitioned": (" PARTITION BY HASH (originator_id)", "CREATE INDEX ON {table} (notification_id)"),
    "other.brin": ("", "CREATE INDEX ON {table} USING brin (notification_id) WITH (pages_per_range = 16)"),
}
_NAMES = {
    "other.partitioned": f"{PARTITIONS} partitions by hash",
    "other.brin": "BRIN for the log",
}


def run_growth(url: str, seconds: float, events: int = EVENTS) -> Iterator[BenchmarkResult]:
    fights = templates()
    with empty_ledger(url) as full, empty_ledger(url) as empty:
        fill(full, events, fights)
        yield from _sizes(full)
        _vacuum(full)
        yield _appending(full, empty, fights, seconds, events)
        yield from _variants(full, fights, seconds, min(events, _COPIED))


def _appending(full: str, empty: str, fights: list[Template], seconds: float, events: int) -> BenchmarkResult:
    with LedgerStore.open(full) as one, LedgerStore.open(empty) as other:
        into_full, into_empty = (_appender(ledger, fights, seconds) for ledger in (one, other))
        ours, bare = compare(into_full, into_empty, seconds)
    what = f"append to {_LIVE} live fights with {events:,} events in the ledger, against none"
    return BenchmarkResult(what, "events", ours, bare, AIM)


def _appender(ledger: LedgerStore, fights: list[Template], seconds: float) -> Any:
    batches = islice(_batches(fights), int(seconds * 3000) + _LIVE)
    ready = iter(list(batches))

    def append() -> int:
        batch = next(ready)
        ledger.recorder.insert_batch(batch, None)
        return len(batch.names)

    return append


def _batches(fights: list[Template]) -> Iterator[EventBatch]:
    """What live fights append, in turns; a fight that is over is followed by another one."""
    templates_in_turn = cycle(fights)
    live = [iter(_strikes(next(templates_in_turn))) for _ in range(_LIVE)]
    while True:
        for place, fight in enumerate(live):
            if (batch := next(fight, None)) is None:
                live[place] = iter(_strikes(next(templates_in_turn)))
                batch = next(live[place])
            yield batch


def _strikes(fight: Template) -> Iterator[EventBatch]:
    rows = list(copy_of(fight))
    for first in range(0, len(rows), _AT_ONCE):
        yield _batch(rows[first : first + _AT_ONCE])


def _batch(rows: list[StoredRow]) -> EventBatch:
    ids, seqs, names, states, hashes = zip(*rows, strict=True)
    return EventBatch(ids[0], seqs[0], TextArray(names), BlobArray(states), BlobArray(hashes))


def _sizes(url: str) -> Iterator[BenchmarkResult]:
    """Bytes of an event, all told."""
    with psycopg.connect(url) as conn:
        query = (
            "SELECT (SELECT reltuples FROM pg_class WHERE oid = %(t)s::regclass), pg_table_size(%(t)s), "
            "pg_indexes_size(%(t)s),"
            " (SELECT avg(octet_length(state)) FROM combatlog.ledger_events TABLESAMPLE SYSTEM (1))"
        )
        ((rows, table, indexes, content),) = conn.execute(query, {"t": _EVENTS}).fetchall()
        each = conn.execute(
            "SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes"
            " WHERE relname = 'ledger_events'"
        ).fetchall()
    _say(f"bytes for each event: {table / rows:.0f} in the table, {indexes / rows:.1f} in indexes", each)
    yield BenchmarkResult(
        "  bytes of what an event says, against its bytes in the table", "", float(content), table / rows, 0
    )
    yield BenchmarkResult("  bytes of the table, against those of table and indexes", "", table, table + indexes, 0)


def _vacuum(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        start = perf_counter()
        conn.execute("VACUUM (FREEZE) combatlog.ledger_events")
        _say(f"VACUUM (FREEZE): {perf_counter() - start:.1f} s")


def _variants(url: str, fights: list[Template], seconds: float, events: int) -> Iterator[BenchmarkResult]:
    """The same rows in other tables, and the same statements on each."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("SET synchronous_commit TO off")  # the disk confirms all of them alike
        conn.execute("CREATE SCHEMA other")
        for table, (kind, index) in _VARIANTS.items():
            _create(conn, table, kind, index, events)
        for other, name in _NAMES.items():
            for what, work in _WORK.items():
                changed, usual = (work(conn, table, fights, events) for table in (other, "other.as_it_is"))
                ours, bare = compare(changed, usual, seconds, _server_time(conn))
                yield BenchmarkResult(f"  {what}: {name}, against the table as it is", "", ours, bare, 0)


def _server_time(conn: psycopg.Connection[Any]) -> Callable[[], float]:
    """The processor time of the process that serves a connection, if it is on this machine."""
    try:
        served = psutil.Process(conn.info.backend_pid)
        served.cpu_times()
    except psutil.Error:
        return perf_counter
    return lambda: served.cpu_times().user + served.cpu_times().system


def _create(conn: psycopg.Connection[Any], table: str, kind: str, index: str, events: int) -> None:
    conn.execute(f"CREATE TABLE {table} (LIKE {_EVENTS} INCLUDING DEFAULTS INCLUDING CONSTRAINTS){kind}")
    for number in range(PARTITIONS if kind else 0):
        conn.execute(
            f"CREATE TABLE {table}_{number} PARTITION OF {table}"
            f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        )
    conn.execute(f"ALTER TABLE {table} ADD PRIMARY KEY (originator_id, originator_version)")
    for statement in (index, *_INDEXES):
        conn.execute(statement.format(table=table))
    start = perf_counter()
    conn.execute(f"INSERT INTO {table} SELECT * FROM {_EVENTS} ORDER BY notification_id LIMIT {events}")
    _say(f"{table}: filled in {perf_counter() - start:.1f} s")
    conn.execute(f"VACUUM ANALYZE {table}")


def _insert(conn: psycopg.Connection[Any], table: str, fights: list[Template], events: int) -> Any:
    batches = _batches(fights)
    insert = (
        f"INSERT INTO {table} (originator_id, originator_version, topic, state, hash)"
        " SELECT %b, %b::bigint + place - 1, topic, state, hash FROM unnest(%b, %b, %b)"
        " WITH ORDINALITY AS event (topic, state, hash, place)"
    )

    def work() -> int:
        batch = next(batches)
        conn.execute(insert, batch, prepare=True)
        return len(batch.names)

    return work


def _follow(conn: psycopg.Connection[Any], table: str, fights: list[Template], events: int) -> Any:
    places = Random(1)
    query = f"SELECT * FROM {table} WHERE notification_id > %s ORDER BY notification_id LIMIT 500"

    def work() -> int:
        return len(conn.execute(query, (places.randrange(events),), prepare=True).fetchall())

    return work


def _read(conn: psycopg.Connection[Any], table: str, fights: list[Template], events: int) -> Any:
    found = conn.execute(
        f"SELECT DISTINCT originator_id FROM (SELECT * FROM {table} LIMIT 50000) AS first_rows"
    ).fetchall()
    ids: Iterator[UUID] = cycle([row[0] for row in found])
    query = f"SELECT * FROM {table} WHERE originator_id = %s ORDER BY originator_version"

    def work() -> int:
        return len(conn.execute(query, (next(ids),), prepare=True).fetchall())

    return work


_WORK = {"append": _insert, "follow the log": _follow, "read a fight": _read}


def _say(*what: object) -> None:
    """Beside the ratios, for whoever wants to know what a server needs."""
    print(*what, file=sys.stderr, flush=True)


SIZES_EVENTS = 100_000
_SAID = "SELECT sum(octet_length(state)) FROM combatlog.ledger_events"
_OF_SCHEMA = (
    "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r'"
)


def run_sizes(url: str, seconds: float, events: int = SIZES_EVENTS) -> Iterator[BenchmarkResult]:
    with empty_ledger(url) as full:
        fill(full, events, templates())
        rebuild(full)
        with psycopg.connect(full) as conn:
            said, ledger, models = (
                float(conn.execute(query, values).fetchall()[0][0])
                for query, values in (
                    (_SAID, ()),
                    ("SELECT pg_total_relation_size('combatlog.ledger_events')", ()),
                    (_OF_SCHEMA, (SCHEMA,)),
                )
            )
        lake = float(_bytes_of_lake(full))
    yield BenchmarkResult("bytes that events say, against those of the ledger with its indexes", "", said, ledger, 0)
    yield BenchmarkResult("bytes of the ledger, against those of the read models", "", ledger, models, 0)
    yield BenchmarkResult("bytes of the ledger, against those of a lake with its facts", "", ledger, lake, 0)


def _bytes_of_lake(url: str) -> int:
    with tempfile.TemporaryDirectory() as folder, combatlog.open(url) as ledger:
        ledger.write_lake(Path(folder) / "lake")
        return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
