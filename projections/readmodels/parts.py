"""All rows of the read models, made encounter by encounter; for a large ledger in several processes.

Each process takes a range of ids at a time. Ids are evenly spread, so the ranges have about as many events each, and
nobody has to know which encounters there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, groupby
from typing import NamedTuple
from uuid import UUID

from ledger.positions import Position
from ledger.processes import in_processes
from ledger.recorder import ALL
from ledger.recorder import Row as StoredRow
from ledger.store import Ledger
from projections.readmodels.encounter_projection import Row
from projections.readmodels.row_projection import RowProjection, past_of

EVENTS_AT_ONCE = 10_000
"""About as many are in a range."""
FEW = 4
"""As many ranges are made sooner by this process than another one starts."""

Range = tuple[UUID, UUID]
"""The first and the last of some ids."""


class Part(NamedTuple):
    """What one encounter comes to."""

    events: int
    rows: list[Row]


def parts_of(url: str, end: Position, total: int, jobs: int) -> Iterator[Part]:
    """Every encounter with its events up to a position, of which there are about as many as `total`."""
    make = partial(parts_in, url, end)
    if jobs < 2 or not is_large(total):
        return chain.from_iterable(map(make, ranges(1)))
    shares = ranges(total // EVENTS_AT_ONCE)
    return chain.from_iterable(in_processes(partial(_make_elsewhere, make), shares, jobs, start="spawn"))


def is_large(total: int) -> bool:
    """Whether so many events are worth several processes."""
    return total // EVENTS_AT_ONCE >= FEW


def ranges(count: int) -> Iterator[Range]:
    """All ids there can be, divided evenly."""
    for number in range(count):
        yield UUID(int=(number << 128) // count), UUID(int=((number + 1) << 128) // count - 1)


def _make_elsewhere(make: partial[Iterator[Part]], among: Range) -> list[Part]:
    return list(make(among))


def parts_in(url: str, end: Position, among: Range = ALL, *, shard: int | None = None) -> Iterator[Part]:
    """Every encounter of a range of ids, or of a shard on the node that has it."""
    with Ledger(url) as source, Ledger(url) as ledger:
        for encounter, rows in groupby(source.recorder.stream_rows(end, among, shard=shard), key=lambda pair: pair[0]):
            yield part_of(ledger, encounter, [row for _, row in rows])


def part_of(ledger: Ledger, encounter: UUID, rows: list[StoredRow]) -> Part:
    projection = RowProjection(encounter, past_of(ledger, encounter, rows[0].seq))
    for row in rows:
        projection.feed(row)
    return Part(len(rows), [*projection.take_facts(), *projection.state()])
