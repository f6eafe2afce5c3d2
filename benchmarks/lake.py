"""Writing a lake of fights that went on at the same time, so that every batch has events of all of them.

Against an export of the same rows: they are read from the ledger and from current read models and written with DuckDB,
with nothing decoded or folded. Memory is compared between a quarter of the ledger and all of it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from benchmarks.processes import taken_by
from benchmarks.projecting import in_turns
from benchmarks.simulated import Template, copy_of, record, templates
from ledger.store import Ledger
from projections.lake.manifest import read_manifest
from projections.lake.tables import EVENTS
from projections.lake.writing import BATCH, write_lake
from projections.readmodels.catalogue import TABLES
from projections.readmodels.ddl import SCHEMA
from projections.readmodels.export import write_parquet
from projections.readmodels.rebuild import rebuild

FIGHTS = 160
BATCHES = 20
AIM = 0.1
"""As for rebuilding the read models, which folds the same."""
FLAT = 0.8
_AT_ONCE = 10_000
_EVENTS = SQL(
    "SELECT notification_id, originator_id, originator_version, topic, state, hash FROM combatlog.ledger_events"
).format()
_WRITE = """
from ledger.memory import collect_less_often
from ledger.store import Ledger
from projections.lake.writing import write_lake
collect_less_often()
with Ledger.open(sys.argv[1]) as ledger:
    write_lake(ledger, sys.argv[2], batch=int(sys.argv[3]))
"""


def run_lake(url: str, seconds: float, fights: int = FIGHTS) -> Iterator[Result]:
    known = templates()
    with tempfile.TemporaryDirectory() as folder, empty_ledger(url) as full:
        place = Path(folder)
        batch = _play(full, known, fights // 4) * 4 // BATCHES
        small = taken_by(_WRITE, full, str(place / "small"), str(batch)).kib
        _play(full, known, fights - fights // 4)
        large = taken_by(_WRITE, full, str(place / "large"), str(batch)).kib
        ours, events, rows = _write(full, place / "one")
        bare = _export(full, place)
        what = (
            f"write a lake of {events:,} events of {fights} fights at once ({rows:,} rows), against exporting the rows"
        )
        yield Result(what, "rows", rows / ours, rows / bare, AIM)
        many = f"  the same in {BATCHES} batches, against one"
        yield Result(many, "events", events / _write(full, place / "many", batch=batch)[0], events / ours, 0)
        two = "  the same with two processes, against one"
        yield Result(two, "events", events / _write(full, place / "two", jobs=2)[0], events / ours, 0)
        yield Result("  memory (KiB) at a quarter of the ledger, against all of it", "", small, large, FLAT)


def _play(url: str, known: list[Template], fights: int) -> int:
    """Fights in which somebody declares something in turn; how many events they have."""
    return record(url, in_turns([list(copy_of(known[number % len(known)])) for number in range(fights)]))


def _write(url: str, place: Path, *, jobs: int = 1, batch: int = BATCH) -> tuple[float, int, int]:
    """Seconds, events, and rows of all tables."""
    with Ledger.open(url) as ledger:
        start = perf_counter()
        written = write_lake(ledger, place, jobs=jobs, batch=batch)
        spent = perf_counter() - start
    return spent, written.events, sum(file.rows for file in read_manifest(place).files)


def _export(url: str, folder: Path) -> float:
    """Seconds to read the rows of every table, and to write them."""
    rebuild(url)
    with psycopg.connect(url) as conn:
        start = perf_counter()
        write_parquet(folder / "events.parquet", EVENTS, _batches(conn, _EVENTS))
        for name, table in TABLES.items():
            rows = SQL("SELECT * FROM {}").format(Identifier(SCHEMA, name))
            write_parquet(folder / f"{name}.parquet", table, _batches(conn, rows))
        return perf_counter() - start


def _batches(conn: psycopg.Connection[Any], query: Composed) -> Iterator[list[tuple[Any, ...]]]:
    with conn.cursor("export", binary=True) as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(_AT_ONCE):
            yield rows
