"""Keeping the read models current while many fights go on at the same time, a declaration in each in turn.

A follower that has brought in the past of all of them takes what is new. The bare side inserts the same facts with COPY
into tables with the same keys, in as many transactions, with nothing decoded or folded.
"""

from __future__ import annotations

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
AIM = 0.1
_PAST = 200
"""Events of each fight before anything is measured."""
_NEW = 40
Batch = dict[str, list[tuple[Any, ...]]]


def run(url: str, seconds: float, fights: int = FIGHTS) -> Iterator[Result]:
    known = templates()
    rows = [list(islice(copy_of(known[number % len(known)]), _PAST + _NEW)) for number in range(fights)]
    with empty_ledger(url) as target, Ledger.open(target) as ledger, ReadModels.open(target) as models:
        models.kept = KeptProjections(MANY)  # as a follower has it
        record(target, chain.from_iterable(fight[:_PAST] for fight in rows))
        models.catch_up(ledger)
        position = ledger.recorder.max_notification_id() or 0
        new = record(target, _in_turns([fight[_PAST:] for fight in rows]))
        start = perf_counter()
        assert models.catch_up(ledger) == new
        ours = perf_counter() - start
        bare = _insert(target, _facts_after(target, position))
    what = f"bring in what is new in {fights:,} fights at once, against inserting the same facts"
    yield Result(what, "events", new / ours, new / bare, AIM)


def _in_turns(fights: Sequence[Sequence[StoredRow]]) -> Iterator[StoredRow]:
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


def _facts_after(url: str, position: int) -> list[Batch]:
    """The facts of what was brought in after a position, as they come with each batch of events."""
    batches: dict[int, Batch] = {}
    with psycopg.connect(url) as conn:
        for table in FACTS:
            query = SQL(
                "SELECT (e.notification_id - %s - 1) / %s, f.* FROM {} f JOIN combatlog.ledger_events e"
                " ON (e.originator_id, e.originator_version) = (f.encounter, f.seq) WHERE e.notification_id > %s"
            ).format(Identifier(SCHEMA, table.name))
            for batch, *row in conn.execute(query, (position, BATCH, position)):
                batches.setdefault(batch, {}).setdefault(table.name, []).append(tuple(row))
    return [batches[number] for number in sorted(batches)]


def _insert(url: str, batches: Sequence[Batch]) -> float:
    """Seconds to insert the facts, a transaction for each batch."""
    with psycopg.connect(url) as conn:
        conn.execute("CREATE SCHEMA bare")
        for table in FACTS:
            bare = Identifier("bare", table.name)
            conn.execute(SQL("CREATE TABLE {} (LIKE {} INCLUDING ALL)").format(bare, Identifier(SCHEMA, table.name)))
        conn.commit()
        start = perf_counter()
        for batch in batches:
            for name, rows in batch.items():
                copy = SQL("COPY {} FROM STDIN").format(Identifier("bare", name))
                with conn.cursor() as cursor, cursor.copy(copy) as stream:
                    for row in rows:
                        stream.write_row(row)
            conn.commit()
        return perf_counter() - start
