"""How fast a lake is written, and how fast PostgreSQL, DuckDB and Spark answer the same statistics."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier

import combatlog
from benchmarks.measure import BenchmarkResult, empty_ledger, taken_by
from benchmarks.read_models import in_turns
from benchmarks.sample_fights import Template, copy_of, fill, record, templates
from ledger.store.ledger import LedgerStore
from projections.lake.location import MountedFiles, location_of
from projections.lake.manifest import EVENTS, LAKE_TABLES, LakeFile, LakeWriter, Partition, read_manifest, writing
from projections.lake.reading import rows_in
from projections.lake.writing import BATCH, write_lake
from projections.readmodels.catalogue import TABLES
from projections.readmodels.rebuild import rebuild
from projections.readmodels.schema_and_login import FINGERPRINT, SCHEMA
from projections.readmodels.table_files import Staging, staging, write_parquet, write_rows
from projections.readmodels.tables import TableSchema
from projections.statistics.question import Report
from tests.optional import find

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
from ledger.garbage_collection import collect_less_often
from ledger.store.ledger import LedgerStore
from projections.lake.writing import write_lake
collect_less_often()
with LedgerStore.open(sys.argv[1]) as ledger:
    write_lake(ledger, sys.argv[2], batch=int(sys.argv[3]))
"""


def run_lake(url: str, seconds: float, fights: int = FIGHTS) -> Iterator[BenchmarkResult]:
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
        yield BenchmarkResult(what, "rows", rows / ours, rows / bare, AIM)
        many = f"  the same in {BATCHES} batches, against one"
        yield BenchmarkResult(many, "events", events / _write(full, place / "many", batch=batch)[0], events / ours, 0)
        two = "  the same with two processes, against one"
        yield BenchmarkResult(two, "events", events / _write(full, place / "two", jobs=2)[0], events / ours, 0)
        yield BenchmarkResult("  memory (KiB) at a quarter of the ledger, against all of it", "", small, large, FLAT)


def _play(url: str, known: list[Template], fights: int) -> int:
    """Fights in which somebody declares something in turn; how many events they have."""
    return record(url, in_turns([list(copy_of(known[number % len(known)])) for number in range(fights)]))


def _write(url: str, place: Path, *, jobs: int = 1, batch: int = BATCH) -> tuple[float, int, int]:
    """Seconds, events, and rows of all tables."""
    with LedgerStore.open(url) as ledger:
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


ENGINES_EVENTS = 100_000
_FOLDED = 1_000_000
"""Events that are recorded and folded, at most."""
_EVENTS_OF_A_FIGHT = 380
_TURNS = 3
"""How often each engine is asked the same."""
_ASKED = (("hits", "actor"), ("damage", "source"), ("rolls", "actor"), ("turns", "actor"), ("luck", "actor"))

Ask = Callable[[str, str], Sequence[Report]]
Turn = dict[str, tuple[float, Sequence[Report]]]
"""How long each engine took, and what it answered."""


def run_engines(url: str, seconds: float, events: int = ENGINES_EVENTS) -> Iterator[BenchmarkResult]:
    with ExitStack() as opened, empty_ledger(url) as full:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory())) / "lake"
        count = _prepare(full, folder, events)
        engines = _engines(opened, full, folder)
        for engine in engines.values():
            engine(*_ASKED[0])
        for statistic, by in _ASKED:
            turns = [{name: _taken(engine, statistic, by) for name, engine in engines.items()} for _ in range(_TURNS)]
            yield from _results(f"stats {statistic} --by {by} over {count:,} events", turns)


def _prepare(url: str, folder: Path, events: int) -> int:
    """A ledger with current read models, and a lake of it in files as large as they get."""
    folded = min(events, _FOLDED)
    count = fill(url, folded, templates(-(-folded // _EVENTS_OF_A_FIGHT)))
    rebuild(url)
    with combatlog.open(url) as ledger:
        ledger.write_lake(folder)
    combatlog.compact_lake(folder)
    times = -(-events // count)
    if times > 1:
        multiply_read_models(url, times)
        multiply_lake(folder, times)
    return count * times


def _engines(opened: ExitStack, url: str, folder: Path) -> dict[str, Ask]:
    lake = opened.enter_context(combatlog.open_lake(folder))
    ledger = opened.enter_context(combatlog.open(url))
    engines: dict[str, Ask] = {"PostgreSQL": ledger.statistics, "DuckDB": lake.statistics}
    if find_spec("pyspark") is not None and find("java") is not None:
        engines["Spark"] = opened.enter_context(combatlog.open_lake(folder, spark="local[*]")).statistics
    return engines


def _taken(engine: Ask, statistic: str, by: str) -> tuple[float, Sequence[Report]]:
    start = perf_counter()
    found = engine(statistic, by)
    return perf_counter() - start, found


def _results(what: str, turns: Sequence[Turn]) -> Iterator[BenchmarkResult]:
    """By the median of all turns. The first engine is what the others are compared with."""
    spent = {name: median(turn[name][0] for turn in turns) for name in turns[0]}
    first, *others = spent
    expected = turns[0][first][1]
    for name in others:
        assert all(turn[name][1] == expected for turn in turns), f"{name} answers something else: {what}"
        yield BenchmarkResult(f"{what}: {name}, against {first}", "answers", 1 / spent[name], 1 / spent[first], 0)


def multiply_read_models(url: str, times: int) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        for table in TABLES.values():
            conn.execute(_copies(table, times))
            conn.execute(SQL("VACUUM ANALYZE {}").format(Identifier(SCHEMA, table.name)))


def _copies(table: TableSchema, times: int) -> Composed:
    others = SQL(", ").join(Identifier(column) for column in table.column_names if column != "encounter")
    return SQL(
        "INSERT INTO {table} (encounter, {others}) SELECT md5(encounter::text || copy)::uuid, {others}"
        " FROM {table}, generate_series(2, {times}) AS copy"
    ).format(table=Identifier(SCHEMA, table.name), others=others, times=times)


def multiply_lake(folder: Path, times: int) -> None:
    place = location_of(folder)
    with writing(place, FINGERPRINT) as lake, staging(lake.turn.room) as staged:
        files = place.mount(staged.conn)
        copies = [
            _copied(staged, lake, files, file, times) for file in lake.manifest.files if file.table != EVENTS.name
        ]
        lake.replace(files=(*lake.manifest.files, *copies))


def _copied(staged: Staging, lake: LakeWriter, files: MountedFiles, file: LakeFile, times: int) -> LakeFile:
    table = LAKE_TABLES[file.table]
    rows = (
        f"SELECT * EXCLUDE (copy) REPLACE (md5(encounter || copy)::UUID::VARCHAR AS encounter)"
        f" FROM ({rows_in(table, files, [file])}), range(2, {times + 1}) AS copies (copy)"
    )
    write = partial(write_rows, staged.conn, rows, table)
    place, made_from = Partition(file.ruleset, file.month), range(file.first, file.last + 1)
    return lake.add(file.table, place, made_from, file.rows * (times - 1), write)
