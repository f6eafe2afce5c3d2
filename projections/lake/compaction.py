"""Compaction: one file for each table and month instead of one for each run, without rows that were replaced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from projections.lake.manifest import LakeFile, Manifest, Writing, read_manifest, writing
from projections.lake.partitions import Partition
from projections.lake.places import Mounted, place_of
from projections.lake.reading import reading, rows_in, show_files
from projections.lake.tables import EVENTS, LAKE_TABLES
from projections.lake.writing import Progress
from projections.parquet import name, staging, write_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ROWS = 1_000_000
"""A file of events with so many rows is left as it is."""

Group = tuple[str, Partition]
"""A table, and where its files are filed."""


class Compacted(NamedTuple):
    before: int
    """Files."""
    after: int
    rows_dropped: int
    """Rows that had been replaced by newer ones."""


def compact_lake(
    where: str | Path, progress: Progress = lambda done, total: None, *, most_rows: int = ROWS
) -> Compacted:
    """Put small files together. Readers go on with the old files, which the next run of a writer removes."""
    place = place_of(where)
    with writing(place, read_manifest(place).form) as lake:
        before = lake.manifest
        groups = dict(_groups(before, most_rows))
        replaced = {file.path for files in groups.values() for file in files}
        kept = [file for file in before.files if file.path not in replaced]
        made: list[LakeFile] = []
        with staging(lake.turn.room) as staged:
            files = place.mount(staged.conn)
            with reading(place, files):
                show_files(staged.conn, place, files, before)
                for done, group in enumerate(groups.items(), 1):
                    made += _merge(staged.conn, lake, files, *group)
                    progress(done, len(groups))
        if groups:
            lake.replace(files=(*kept, *made))
        dropped = sum(file.rows for file in before.files) - sum(file.rows for file in (*kept, *made))
        return Compacted(len(before.files), len(kept) + len(made), dropped)


def _groups(manifest: Manifest, most_rows: int) -> Iterator[tuple[Group, list[LakeFile]]]:
    """Files that belong together, where there is more than one."""
    found: dict[Group, list[LakeFile]] = {}
    for file in manifest.files:
        if file.table != EVENTS.name or file.rows < most_rows:
            found.setdefault((file.table, Partition(file.ruleset, file.month)), []).append(file)
    return ((group, files) for group, files in found.items() if len(files) > 1)


def _merge(
    conn: DuckDBPyConnection, lake: Writing, mounted: Mounted, group: Group, files: Iterable[LakeFile]
) -> Iterator[LakeFile]:
    """What is left of some files, as one; none if nothing is left."""
    merged = list(files)
    table, partition = LAKE_TABLES[group[0]], group[1]
    rows = rows_in(table, mounted, merged)
    if table is not EVENTS:
        rows += " SEMI JOIN lake.newest USING (encounter, batch)"
    ((count,),) = conn.execute(f"SELECT count(*) FROM ({rows})").fetchall()  # noqa: S608
    if not count:
        return
    first, last = min(file.first for file in merged), max(file.last for file in merged)
    order = ", ".join(map(name, table.key))
    write = partial(write_rows, conn, f"SELECT * FROM ({rows}) ORDER BY {order}", table)  # noqa: S608
    yield lake.add(table.name, partition, range(first, last + 1), count, write)
