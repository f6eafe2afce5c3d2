"""Keeping the read models current while many fights go on at the same time, a declaration in each in turn.

A follower that has brought in the past of all of them takes what is new. The bare side inserts the same facts with COPY
into tables with the same keys, in as many transactions, with nothing decoded or folded.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice, zip_longest
from time import perf_counter
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from benchmarks.simulated import StoredRow, copy_of, record, templates
from ledger.store import Ledger
from projections.readmodels.catalogue import FACTS
from projections.readmodels.ddl import SCHEMA
from projections.readmodels.kept_projections import MANY, KeptProjections
from projections.readmodels.recorder import BATCH, ReadModels

FIGHTS = 500
AIM = 0.09
"""Ten times what it was when the past of a fight was read again for every batch."""
_PAST = 200
"""Events of each fight before anything is measured."""
_NEW = 40
Facts = dict[str, list[tuple[Any, ...]]]


def run_projecting(url: str, seconds: float, fights: int = FIGHTS) -> Iterator[Result]:
    known = templates()
    rows = [list(islice(copy_of(known[number % len(known)]), _PAST + _NEW)) for number in range(fights)]
    with empty_ledger(url) as target, Ledger.open(target) as ledger, ReadModels.open(target) as models:
        models.kept = KeptProjections(MANY)  # as a follower has it
        record(target, chain.from_iterable(fight[:_PAST] for fight in rows))
        models.catch_up(ledger)
        new = record(target, in_turns([fight[_PAST:] for fight in rows]))
        gc.collect()  # what the past has left is no part of this
        ours, bare = _take_turns(target, ledger, models)
    what = f"bring in what is new in {fights:,} fights at once, against inserting the same facts"
    yield Result(what, "events", new / ours, new / bare, AIM)


def _take_turns(url: str, ledger: Ledger, models: ReadModels) -> tuple[float, float]:
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
