"""Rebuilding the read models of a large ledger, and asking them.

Against a bare COPY of the same rows into tables with the same keys. Memory is compared between a quarter of the ledger
and all of it: it must not grow with the ledger. Statistics are compared with counting the rows of all tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.measure import Result
from benchmarks.processes import taken_by
from benchmarks.simulated import fill, templates
from ledger.store import Ledger
from projections.analytics_names import By, Statistic
from projections.readmodels.catalogue import TABLES
from projections.readmodels.ddl import SCHEMA
from projections.statistics.answers import statistics
from projections.statistics.scope import Scope

AIM = 0.1
FLAT = 0.8
EVENTS = 100_000
_AT_ONCE = 20_000

_REBUILD = """
from projections.readmodels.rebuild import rebuild
made = rebuild(sys.argv[1])
print(made.events, made.rows)
"""


def run_rebuild(url: str, seconds: float, events: int = EVENTS) -> Iterator[Result]:
    Ledger.open(url).close()
    fights = templates()
    fill(url, events // 4, fights)
    small = taken_by(_REBUILD, url).kib
    fill(url, events - events // 4, fights)
    took, large, (in_all, rows) = taken_by(_REBUILD, url)
    bare = _bare_copy(url)
    what = f"rebuild the read models of {in_all:,.0f} events ({rows:,.0f} rows)"
    yield Result(what, "rows", rows / took, rows / bare, AIM)
    yield Result("  events, against the same COPY", "events", in_all / took, in_all / bare, 0)
    yield Result("  memory (KiB) at a quarter of the ledger, against all of it", "", small, large, FLAT)
    counting = _count_all(url)
    for statistic in (one for one in Statistic if one is not Statistic.COMPARE):
        for by in (By.ACTOR, By.SOURCE) if statistic is Statistic.DAMAGE else (By.ACTOR,):
            start = perf_counter()
            with Ledger.open(url) as ledger:
                statistics(ledger, statistic, Scope(), by)
            answer = f"  stats {statistic.value} --by {by.value} over all of it, against counting all rows"
            yield Result(answer, "answers", 1 / (perf_counter() - start), 1 / counting, 0)


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
