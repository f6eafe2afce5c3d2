"""Write a lake: add what was recorded since the last run, and compact its files.

Compaction leaves one file per table and month instead of one per run, without outdated rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from psycopg.sql import SQL

from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from ledger.store.positions import LogPosition, position_after
from ledger.store.recorder import LedgerRecorder, StoredRow, encounter_of
from projections.lake.folding import fold_touched
from projections.lake.location import LakeLocation, MountedFiles, location_of
from projections.lake.manifest import (
    EVENTS,
    LAKE_TABLES,
    LakeFile,
    LakeWriter,
    LastEvent,
    Manifest,
    Partition,
    UnfinishedRun,
    partitions_of,
    read_manifest,
    require_form,
    writing,
)
from projections.lake.reading import reading, rows_in, show_files
from projections.readmodels.schema_and_login import FINGERPRINT
from projections.readmodels.table_files import Staging, quoted_name, staging, write_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


BATCH = 50_000
"""Events that are written or folded at once, and repeated if the writer is killed."""

Progress = Callable[[int, int], None]
"""Called with the steps done and the total. Each event counts when it is written, and again when its facts are."""

_NEW = SQL(
    "SELECT notification_id, originator_id, originator_version, topic, state, hash FROM combatlog.ledger_events"
    " WHERE notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"
).format()
_AT = SQL(
    "SELECT originator_id, originator_version, hash FROM combatlog.ledger_events WHERE notification_id = %s"
).format()
_HASHES = SQL("SELECT notification_id, hash FROM combatlog.ledger_events WHERE notification_id = ANY(%s)").format()


class NewRow(NamedTuple):
    notification: int
    encounter: UUID
    row: StoredRow


class LakeWriteResult(NamedTuple):
    """The result of a run."""

    events: int
    """New events."""
    encounters: int
    """Encounters with new events."""
    files: int
    """New rows of facts."""
    position: int
    """The notification up to which every event is in the lake, or a count if several nodes write the ledger."""


def write_lake(
    ledger: LedgerStore,
    where: str | Path,
    progress: Progress = lambda done, total: None,
    *,
    jobs: int = 1,
    batch: int = BATCH,
) -> LakeWriteResult:
    """Bring everything recorded so far into the lake, with `jobs` processes. If it is interrupted, the next run
    continues."""
    place = location_of(where)
    with writing(place, FINGERPRINT, partial(_require_fit, ledger, place)) as lake:
        before, encounters = lake.manifest, 0
        if before.underway is not None and before.underway.folded:  # whose facts are those of its own position
            encounters += _complete(ledger, lake, progress, jobs, batch)
        _write_events(ledger.recorder, lake, progress, batch)
        encounters += _complete(ledger, lake, progress, jobs, batch)
        files = len(lake.manifest.files) - len(before.files)
        return LakeWriteResult(lake.manifest.events - before.events, encounters, files, lake.manifest.position)


def _write_events(recorder: LedgerRecorder, lake: LakeWriter, progress: Progress, batch: int) -> None:
    """Write the events recorded so far, batch by batch."""
    end = recorder.settled_nodes()
    missing = recorder.count_between(lake.manifest.reached.followed, end)
    total = lake.manifest.reached.events - lake.manifest.events + missing
    while rows := _next_rows(recorder, lake.manifest.reached.followed, end, batch):
        _add_events(recorder, lake, rows)
        progress(lake.manifest.reached.events - lake.manifest.events, 2 * total)


def _complete(ledger: LedgerStore, lake: LakeWriter, progress: Progress, jobs: int, batch: int) -> int:
    """Add the facts for the run's events, and publish all of it. Returns how many encounters it has touched."""
    if (run := lake.manifest.underway) is None:
        return 0
    total = run.events - lake.manifest.events
    done = total

    def show(new: int) -> None:
        nonlocal done
        done += new
        progress(done, 2 * total)

    run = fold_touched(ledger, lake, run, show, jobs=jobs, batch=batch)
    lake.publish(run)
    return run.folded


def _require_fit(ledger: LedgerStore, place: LakeLocation, manifest: Manifest) -> None:
    """Refuse a lake with events of another ledger, or with tables of another version."""
    require_form(place, manifest, FINGERPRINT)
    if (last := manifest.reached.last) is None:
        return
    found = [(str(row[0]), row[1], bytes(row[2]).hex()) for row in ledger.recorder.select(_AT, (last.notification,))]
    if found != [(last.encounter, last.seq, last.hash)]:
        raise Problem(
            "lake/other-ledger",
            f"The lake in {place} was written from another ledger, or this ledger has changed since: "
            f"event {last.seq} of {last.encounter} is not the one that the lake has come to.",
            folder=str(place),
            encounter=last.encounter,
            seq=last.seq,
        )


def _next_rows(recorder: LedgerRecorder, followed: LogPosition, end: LogPosition, batch: int) -> list[NewRow]:
    """The next events of all nodes, with those of each encounter in order."""
    if len(end) > 1:
        return _next_of_nodes(recorder, followed, end, batch)
    return [
        NewRow(found[0], found[1], StoredRow(found[2], found[3], bytes(found[4]), bytes(found[5])))
        for found in recorder.select(_NEW, (followed[0], end[0], batch))
    ]


def _next_of_nodes(recorder: LedgerRecorder, followed: LogPosition, end: LogPosition, batch: int) -> list[NewRow]:
    found = recorder.select_after(followed, batch, marks=end)
    hashes = dict(recorder.select(_HASHES, ([notification.id for notification in found],)))
    return [
        NewRow(
            one.id,
            encounter_of(one),
            StoredRow(one.originator_version, one.topic, bytes(one.state), bytes(hashes[one.id])),
        )
        for one in found
    ]


def _add_events(recorder: LedgerRecorder, lake: LakeWriter, rows: Sequence[NewRow]) -> None:
    """Add one batch: its files first, and then the list that names them."""
    before = lake.manifest.reached
    followed = position_after(before.followed, (stored.notification for stored in rows))
    has_nodes = len(followed) > 1
    position = before.position + len(rows) if has_nodes else rows[-1].notification
    with staging(lake.turn.room) as staged:
        files = tuple(_event_files(recorder, lake, staged, rows, range(before.position + 1, position + 1)))
    run = UnfinishedRun(
        position=position,
        nodes=followed if has_nodes else {},
        events=before.events + len(rows),
        files=(*lake.manifest.underway.files, *files) if lake.manifest.underway is not None else files,
        last=_last_event(rows[-1]),
    )
    lake.replace(underway=run)


def _event_files(
    recorder: LedgerRecorder, lake: LakeWriter, staged: Staging, rows: Sequence[NewRow], made_from: range
) -> Iterator[LakeFile]:
    known = partitions_of(recorder, {stored.encounter for stored in rows})
    by_partition: dict[Partition, list[Sequence[Any]]] = {}
    for notification, encounter, row in rows:
        by_partition.setdefault(known[encounter].partition, []).append((notification, encounter, *row))
    for partition, own in sorted(by_partition.items()):
        staged.add(EVENTS, own)
        yield lake.add(EVENTS.name, partition, made_from, len(own), partial(staged.write, EVENTS))


def _last_event(stored: NewRow) -> LastEvent:
    notification, encounter, row = stored
    return LastEvent(notification=notification, encounter=str(encounter), seq=row.seq, hash=row.hash.hex())


ROWS = 1_000_000
"""Files of events with this many rows are left as they are."""

FileGroup = tuple[str, Partition]
"""A table, and where its files are filed."""


class LakeCompaction(NamedTuple):
    before: int
    """Files."""
    after: int
    rows_dropped: int
    """Rows that newer ones had replaced."""


def compact_lake(
    where: str | Path, progress: Progress = lambda done, total: None, *, most_rows: int = ROWS
) -> LakeCompaction:
    """Merge small files. Readers continue with the old files, which the next run of a writer removes."""
    place = location_of(where)
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
        return LakeCompaction(len(before.files), len(kept) + len(made), dropped)


def _groups(manifest: Manifest, most_rows: int) -> Iterator[tuple[FileGroup, list[LakeFile]]]:
    """Groups of files to merge: those of the same kind, if there are several."""
    found: dict[FileGroup, list[LakeFile]] = {}
    for file in manifest.files:
        if file.table != EVENTS.name or file.rows < most_rows:
            found.setdefault((file.table, Partition(file.ruleset, file.month)), []).append(file)
    return ((group, files) for group, files in found.items() if len(files) > 1)


def _merge(
    conn: DuckDBPyConnection, lake: LakeWriter, mounted: MountedFiles, group: FileGroup, files: Iterable[LakeFile]
) -> Iterator[LakeFile]:
    """The remaining rows of some files, in one file; none if no rows are left."""
    merged = list(files)
    table, partition = LAKE_TABLES[group[0]], group[1]
    rows = rows_in(table, mounted, merged)
    if table is not EVENTS:
        rows += " SEMI JOIN lake.newest USING (encounter, batch)"
    ((count,),) = conn.execute(f"SELECT count(*) FROM ({rows})").fetchall()  # noqa: S608
    if not count:
        return
    first, last = min(file.first for file in merged), max(file.last for file in merged)
    order = ", ".join(map(quoted_name, table.key))
    write = partial(write_rows, conn, f"SELECT * FROM ({rows}) ORDER BY {order}", table)  # noqa: S608
    yield lake.add(table.name, partition, range(first, last + 1), count, write)
