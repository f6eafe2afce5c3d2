"""How fast the read models are kept current while many fights go on, and rebuilt from a large ledger."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice, zip_longest
from time import perf_counter
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.measure import BenchmarkResult, empty_ledger, taken_by
from benchmarks.sample_fights import StoredRow, copy_of, fill, record, templates
from ledger.store.ledger import LedgerStore
from projections.readmodels.catalogue import FACTS, TABLES
from projections.readmodels.recorder import BATCH, ReadModels
from projections.readmodels.row_projection import MOST_KEPT, KeptProjections
from projections.readmodels.schema_and_login import SCHEMA
from projections.statistics.answers import statistics
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import By, Statistic

FIGHTS = 500
PROJECTING_AIM = 0.09
"""Ten times what it was when the past of a fight was read again for every batch."""
_PAST = 200
"""Events of each fight before anything is measured."""
_NEW = 40
Facts = dict[str, list[tuple[Any, ...]]]


def run_projecting(url: str, seconds: float, fights: int = FIGHTS) -> Iterator[BenchmarkResult]:
    known = templates()
    rows = [list(islice(copy_of(known[number % len(known)]), _PAST + _NEW)) for number in range(fights)]
    with empty_ledger(url) as target, LedgerStore.open(target) as ledger, ReadModels.open(target) as models:
        models.kept = KeptProjections(MOST_KEPT)  # as a follower has it
        record(target, chain.from_iterable(fight[:_PAST] for fight in rows))
        models.catch_up(ledger)
        new = record(target, in_turns([fight[_PAST:] for fight in rows]))
        gc.collect()  # what the past has left is no part of this
        ours, bare = _take_turns(target, ledger, models)
    what = f"bring in what is new in {fights:,} fights at once, against inserting the same facts"
    yield BenchmarkResult(what, "events", new / ours, new / bare, PROJECTING_AIM)


def _take_turns(url: str, ledger: LedgerStore, models: ReadModels) -> tuple[float, float]:
    """Seconds to bring in what is new, and to insert the same facts, a batch after the other."""
    ours = bare = 0.0
    with psycopg.connect(url) as conn:
        _make_bare_tables(conn)
        while True:
            before, start = models.max_tracking_id(ledger.name) or 0, perf_counter()
            if not models.bring_in(ledger):
                return ours, bare
            ours += perf_counter() - start
            bare += _insert(conn, _facts_after(conn, before))


def in_turns(fights: Sequence[Sequence[StoredRow]]) -> Iterator[StoredRow]:
    """A declaration of each fight in turn."""
    for turn in zip_longest(*map(_declarations, fights), fillvalue=()):
        for rows in turn:
            yield from rows


def _declarations(rows: Sequence[StoredRow]) -> Iterator[list[StoredRow]]:
    number = 0

    def of(row: StoredRow) -> int:
        nonlocal number
        number += row[2] == "declared"
        return number

    for _, group in groupby(rows, key=of):
        yield list(group)


def _facts_after(conn: psycopg.Connection[Any], position: int) -> Facts:
    """The facts of what was brought in after a position."""
    found: Facts = {}
    for table in FACTS:
        query = SQL(
            "SELECT f.* FROM {} f JOIN combatlog.ledger_events e"
            " ON (e.originator_id, e.originator_version) = (f.encounter, f.seq)"
            " WHERE e.notification_id > %s AND e.notification_id <= %s"
        ).format(Identifier(SCHEMA, table.name))
        found[table.name] = conn.execute(query, (position, position + BATCH)).fetchall()
    conn.commit()
    return found


def _make_bare_tables(conn: psycopg.Connection[Any]) -> None:
    conn.execute("CREATE SCHEMA bare")
    for table in FACTS:
        names = Identifier("bare", table.name), Identifier(SCHEMA, table.name)
        conn.execute(SQL("CREATE TABLE {} (LIKE {} INCLUDING ALL)").format(*names))
    conn.commit()


def _insert(conn: psycopg.Connection[Any], facts: Facts) -> float:
    """Seconds to insert facts, in one transaction."""
    start = perf_counter()
    for name, rows in facts.items():
        copy = SQL("COPY {} FROM STDIN").format(Identifier("bare", name))
        with conn.cursor() as cursor, cursor.copy(copy) as stream:
            for row in rows:
                stream.write_row(row)
    conn.commit()
    return perf_counter() - start


AIM = 0.1
FLAT = 0.8
EVENTS = 100_000
_AT_ONCE = 20_000

_REBUILD = """
from projections.readmodels.rebuild import rebuild
made = rebuild(sys.argv[1])
print(made.events, made.rows)
"""


def run_rebuild(url: str, seconds: float, events: int = EVENTS) -> Iterator[BenchmarkResult]:
    LedgerStore.open(url).close()
    fights = templates()
    fill(url, events // 4, fights)
    small = taken_by(_REBUILD, url).kib
    fill(url, events - events // 4, fights)
    took, large, (in_all, rows) = taken_by(_REBUILD, url)
    bare = _bare_copy(url)
    what = f"rebuild the read models of {in_all:,.0f} events ({rows:,.0f} rows)"
    yield BenchmarkResult(what, "rows", rows / took, rows / bare, AIM)
    yield BenchmarkResult("  events, against the same COPY", "events", in_all / took, in_all / bare, 0)
    yield BenchmarkResult("  memory (KiB) at a quarter of the ledger, against all of it", "", small, large, FLAT)
    counting = _count_all(url)
    for statistic in (one for one in Statistic if one is not Statistic.COMPARE):
        for by in (By.ACTOR, By.SOURCE) if statistic is Statistic.DAMAGE else (By.ACTOR,):
            start = perf_counter()
            with LedgerStore.open(url) as ledger:
                statistics(ledger, statistic, StatisticScope(), by)
            answer = f"  stats {statistic.value} --by {by.value} over all of it, against counting all rows"
            yield BenchmarkResult(answer, "answers", 1 / (perf_counter() - start), 1 / counting, 0)


def _count_all(url: str) -> float:
    """Seconds to connect and count the rows of all tables."""
    start = perf_counter()
    with psycopg.connect(url) as conn:
        for name in TABLES:
            conn.execute(SQL("SELECT count(*) FROM {}").format(Identifier(SCHEMA, name)))
    return perf_counter() - start


def _bare_copy(url: str) -> float:
    """Seconds to COPY the rows of all tables and to add the keys; reading them is not counted."""
    spent = 0.0
    with psycopg.connect(url) as source, psycopg.connect(url) as sink:
        sink.execute("DROP SCHEMA IF EXISTS bare CASCADE")
        sink.execute("CREATE SCHEMA bare")
        for name, table in TABLES.items():
            bare = Identifier("bare", name)
            sink.execute(SQL("CREATE TABLE {} (LIKE {})").format(bare, Identifier(SCHEMA, name)))
            for rows in _batches(source, name):
                spent += _timed_copy(sink, bare, rows)
            start = perf_counter()
            key = SQL(", ").join(map(Identifier, table.key))
            sink.execute(SQL("ALTER TABLE {} ADD PRIMARY KEY ({})").format(bare, key))
            spent += perf_counter() - start
        start = perf_counter()
        sink.commit()
        spent += perf_counter() - start
        sink.execute("DROP SCHEMA bare CASCADE")
    return spent


def _batches(source: psycopg.Connection[Any], table: str) -> Iterator[list[tuple[Any, ...]]]:
    with source.cursor(f"bare_{table}") as cursor:
        cursor.execute(SQL("SELECT * FROM {}").format(Identifier(SCHEMA, table)))
        while rows := cursor.fetchmany(_AT_ONCE):
            yield rows


def _timed_copy(sink: psycopg.Connection[Any], table: Identifier, rows: list[tuple[Any, ...]]) -> float:
    start = perf_counter()
    with sink.cursor() as cursor, cursor.copy(SQL("COPY {} FROM STDIN").format(table)) as stream:
        for row in rows:
            stream.write_row(row)
    return perf_counter() - start
