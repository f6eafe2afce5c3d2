"""Filling new tables on a cluster: each process takes a shard at a time, reads it and writes the rows on its node.

Nothing of it passes through the node of whoever began. The tables have to be there for everybody, so a transaction that
has not been committed cannot have made them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import psycopg
from eventsourcing.persistence import ProgrammingError

from ledger.database_errors import driver_error
from ledger.errors import Problem
from ledger.positions import Position
from ledger.processes import in_processes
from ledger.recorder import NEVER_IDLE_TOO_LONG
from ledger.shards import Shard
from projections.readmodels.parts import Part, parts_in
from projections.readmodels.recorder import ReadModels
from projections.readmodels.writer import Writer


class Filled(NamedTuple):
    """What the events of a shard came to."""

    events: int
    rows: int


def fill_shards(schema: str, shards: Sequence[Shard], end: Position, jobs: int) -> Iterator[Filled]:
    """All events up to a position. A shard that moves has them where it was, until Citus removes it from there."""
    return in_processes(partial(_fill_shard, schema, end), shards, min(jobs, len(shards)), start="spawn")


def _fill_shard(schema: str, end: Position, shard: Shard) -> Filled:
    events = 0
    with ReadModels.connect(shard.url, schema) as fresh, fresh.datastore.transaction(commit=True) as cursor:
        cursor.execute(NEVER_IDLE_TOO_LONG)
        writer = Writer(cursor, schema)
        for part in _parts_of(shard, end):
            writer.write(part.rows)
            events += part.events
        writer.flush()
    return Filled(events, writer.written)


def _parts_of(shard: Shard, end: Position) -> Iterator[Part]:
    try:
        yield from parts_in(shard.url, end, shard=shard.number)
    except ProgrammingError as error:
        if not isinstance(driver_error(error), psycopg.errors.UndefinedTable):
            raise
        raise Problem(
            "projections/shard-moved",
            "A shard was moved to another node in the middle of the rebuild, so nothing was changed; rebuild again.",
            shard=shard.number,
        ) from error
