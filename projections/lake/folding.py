"""Compute the facts of the encounters for which a run has brought new events; each is folded once, in several
processes.

The files with the new events say which encounters they are. Each process folds some of them and puts the rows into
files; this process merges those files and adds them to the lake. So no process holds more than its share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from glob import escape
from itertools import chain, groupby, islice
from pathlib import Path
from typing import NamedTuple, TypeVar
from uuid import UUID, uuid4

from ledger.store.ledger import LedgerStore
from ledger.store.ledger import Stored as Origin
from ledger.store.recorder import StoredRow
from projections.lake.manifest import (
    EVENTS,
    FIGHTS,
    LAKE_TABLES,
    LakeFile,
    LakeWriter,
    Partition,
    UnfinishedRun,
    partitions_of,
)
from projections.lake.reading import reading, rows_in
from projections.processes import in_processes
from projections.readmodels.encounter_projection import FactRow
from projections.readmodels.projector import with_expressible_dates
from projections.readmodels.row_projection import RowProjection, past_of
from projections.readmodels.table_files import Staging, insert_rows, quoted_name, quoted_text, staging, write_rows

EVENTS_AT_ONCE = 10_000
"""Events that a process folds at a time; more only if a single encounter has more."""
FEW = 4
"""Up to this many shares, this process is faster than starting another one."""
_FETCHED = 1_000
Item = TypeVar("Item")


class TouchedEncounter(NamedTuple):
    """An encounter with new events."""

    encounter: UUID
    seq: int
    """The number of its last event."""
    new: int
    """How many of its events are new."""


class FoldingShare(NamedTuple):
    """Encounters of one partition that are folded together."""

    partition: Partition
    encounters: list[TouchedEncounter]

    @property
    def events(self) -> int:
        """About how many events are folded. Events that a fork shares with its origin are counted as its own."""
        return sum(touched.seq for touched in self.encounters)


class FoldedShare(NamedTuple):
    """The result of folding a share."""

    share: FoldingShare
    files: dict[str, tuple[Path, int]]
    """For each table, a file and its number of rows."""


def fold_touched(
    ledger: LedgerStore, lake: LakeWriter, run: UnfinishedRun, progress: Callable[[int], None], *, jobs: int, batch: int
) -> UnfinishedRun:
    """Add the facts of all encounters that the run has not done yet, about a fixed number of events at a time.

    `progress` is called with the number of new events that are done.
    """
    with staging(lake.turn.room) as staged:
        shares = _shares(_touched(lake, staged, run), min(batch, EVENTS_AT_ONCE))
        parts = _parts(partial(_fold, ledger.url, staged.folder, run.position), shares, jobs)
        for together in _together(parts, batch):
            run = _add(lake, staged, run, together)
            progress(sum(touched.new for part in together for touched in part.share.encounters))
    return run


def _touched(lake: LakeWriter, staged: Staging, run: UnfinishedRun) -> Iterator[tuple[Partition, TouchedEncounter]]:
    """In an order that is the same after a run was killed, without those that are already folded."""
    mounted = lake.place.mount(staged.conn)
    by_partition: dict[Partition, list[LakeFile]] = {}
    for file in run.of(EVENTS.name):
        by_partition.setdefault(Partition(file.ruleset, file.month), []).append(file)
    events = " UNION ALL ".join(
        f"SELECT encounter, seq, {quoted_text(place.ruleset)} AS ruleset, {quoted_text(place.month)} AS month"  # noqa: S608
        f" FROM ({rows_in(EVENTS, mounted, files)})"
        for place, files in by_partition.items()
    )
    columns = "arg_max(ruleset, seq), arg_max(month, seq), encounter, max(seq), count(*)"
    query = f"SELECT {columns} FROM ({events}) GROUP BY encounter ORDER BY ALL OFFSET {run.folded}"  # noqa: S608
    with reading(lake.place, mounted), staged.conn.cursor() as found:
        found.execute(query)
        while rows := found.fetchmany(_FETCHED):
            for ruleset, month, encounter, seq, new in rows:
                yield Partition(ruleset, month), TouchedEncounter(UUID(encounter), seq, new)


def _shares(touched: Iterable[tuple[Partition, TouchedEncounter]], most: int) -> Iterator[FoldingShare]:
    for partition, found in groupby(touched, key=lambda pair: pair[0]):
        encounters = (one for _, one in found)
        yield from (FoldingShare(partition, share) for share in _gathered(encounters, lambda one: one.seq, most))


def _parts(
    fold: Callable[[FoldingShare], FoldedShare], shares: Iterator[FoldingShare], jobs: int
) -> Iterator[FoldedShare]:
    first = list(islice(shares, FEW))
    if jobs < 2 or len(first) < FEW:
        return map(fold, chain(first, shares))
    return in_processes(fold, chain(first, shares), jobs, start="spawn")


def _fold(url: str, folder: Path, position: int, share: FoldingShare) -> FoldedShare:
    """One process's work on a share."""
    with LedgerStore(url) as ledger, staging(folder, threads="1") as staged:
        counts: Counter[str] = Counter()
        insert_rows(staged, LAKE_TABLES, _counted(_rows_of(ledger, position, share), counts))
        files = {table: (folder / f"{uuid4().hex}.parquet", rows) for table, rows in counts.items()}
        for table, (path, _) in files.items():
            staged.write(LAKE_TABLES[table], path)
    return FoldedShare(share, files)


def _rows_of(ledger: LedgerStore, position: int, share: FoldingShare) -> Iterator[FactRow]:
    known = partitions_of(ledger.recorder, [touched.encounter for touched in share.encounters])
    for encounter, seq, _ in share.encounters:
        own = ledger.recorder.select_rows(encounter, upto=seq)
        about = (known[encounter].name, *share.partition)
        yield FIGHTS.name, (encounter, position, *about, seq, len(own), own[-1].hash)
        for table, values in facts_and_state(encounter, past_of(ledger, encounter, own[0].seq), own):
            yield table, (*values, position)


def _counted(rows: Iterable[FactRow], counts: Counter[str]) -> Iterator[FactRow]:
    for table, values in rows:
        counts[table] += 1
        yield table, values


def _together(parts: Iterable[FoldedShare], most: int) -> Iterator[list[FoldedShare]]:
    """Parts of the same partition, which become one set of files."""
    for _, found in groupby(parts, key=lambda part: part.share.partition):
        yield from _gathered(found, lambda part: part.share.events, most)


def _gathered(items: Iterable[Item], size: Callable[[Item], int], most: int) -> Iterator[list[Item]]:
    """Items in lists, each closed once it reaches the size."""
    gathered: list[Item] = []
    room = most
    for item in items:
        gathered.append(item)
        room -= size(item)
        if room <= 0:
            yield gathered
            gathered, room = [], most
    if gathered:
        yield gathered


def _add(lake: LakeWriter, staged: Staging, run: UnfinishedRun, parts: Sequence[FoldedShare]) -> UnfinishedRun:
    """Add the files first, and then the list that names them."""
    files = [_merge(lake, staged, run, table, parts) for table in LAKE_TABLES if any(table in p.files for p in parts)]
    for part in parts:
        for path, _ in part.files.values():
            path.unlink()
    folded = run.folded + sum(len(part.share.encounters) for part in parts)
    run = run.model_copy(update={"files": (*run.files, *files), "folded": folded})
    lake.replace(underway=run)
    return run


def _merge(lake: LakeWriter, staged: Staging, run: UnfinishedRun, table: str, parts: Sequence[FoldedShare]) -> LakeFile:
    found = [part.files[table] for part in parts if table in part.files]
    paths = ", ".join(quoted_text(escape(str(path))) for path, _ in found)
    order = ", ".join(map(quoted_name, LAKE_TABLES[table].key))
    rows = f"SELECT * FROM read_parquet([{paths}], hive_partitioning = false) ORDER BY {order}"  # noqa: S608
    return lake.add(
        table,
        parts[0].share.partition,
        range(lake.manifest.position + 1, run.position + 1),
        sum(count for _, count in found),
        partial(write_rows, staged.conn, rows, LAKE_TABLES[table]),
    )


def facts_and_state(encounter: UUID, past: Sequence[Origin], own: Iterable[StoredRow]) -> Iterator[FactRow]:
    """Every row of the read models about one encounter."""
    projection = RowProjection(encounter, past)
    for row in own:
        projection.feed(row)
    for table, values in chain(projection.take_facts(), projection.state()):
        yield table, tuple(with_expressible_dates(table, values))
