"""Writing a lake: what was recorded since the last run is added.

Events are only ever added, batch by batch. What a correction changes in the facts of earlier events cannot be added, so
the facts and the state of an encounter are written anew in every run that brings new events of it; readers take the
newest (`batch`). A run counts as a whole, when its facts are complete; until then, the list has its files as underway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.sql import SQL

from ledger.errors import Problem
from ledger.positions import Position, joined
from ledger.recorder import LedgerRecorder, Row, encounter_of
from ledger.store import Ledger
from projections.lake.folding import fold_touched
from projections.lake.manifest import LakeFile, LastEvent, Manifest, Underway, Writing, require_form, writing
from projections.lake.partitions import Partition, filed
from projections.lake.places import Place, place_of
from projections.lake.tables import EVENTS
from projections.parquet import Staging, staging
from projections.readmodels.ddl import FINGERPRINT

BATCH = 50_000
"""Events that are written or folded at once, and done again if the writer is killed."""

Progress = Callable[[int, int], None]
"""Called with how much of how much is done. An event counts when it is written, and once more when its facts are."""

_NEW = SQL(
    "SELECT notification_id, originator_id, originator_version, topic, state, hash FROM combatlog.ledger_events"
    " WHERE notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"
).format()
_AT = SQL(
    "SELECT originator_id, originator_version, hash FROM combatlog.ledger_events WHERE notification_id = %s"
).format()
_HASHES = SQL("SELECT notification_id, hash FROM combatlog.ledger_events WHERE notification_id = ANY(%s)").format()


class Stored(NamedTuple):
    notification: int
    encounter: UUID
    row: Row


class Written(NamedTuple):
    """What a run came to."""

    events: int
    """New ones."""
    encounters: int
    """Those that have any of them."""
    files: int
    """New ones."""
    position: int
    """The notification up to which every event is in the lake, or a count if several nodes write the ledger."""


def write_lake(
    ledger: Ledger,
    where: str | Path,
    progress: Progress = lambda done, total: None,
    *,
    jobs: int = 1,
    batch: int = BATCH,
) -> Written:
    """Bring everything that is recorded into the lake, with `jobs` processes. If it is interrupted, the next run goes
    on.
    """
    place = place_of(where)
    with writing(place, FINGERPRINT, partial(_require_fit, ledger, place)) as lake:
        before, encounters = lake.manifest, 0
        if before.underway is not None and before.underway.folded:  # whose facts are those of the position it came to
            encounters += _complete(ledger, lake, progress, jobs, batch)
        _write_events(ledger.recorder, lake, progress, batch)
        encounters += _complete(ledger, lake, progress, jobs, batch)
        files = len(lake.manifest.files) - len(before.files)
        return Written(lake.manifest.events - before.events, encounters, files, lake.manifest.position)


def _write_events(recorder: LedgerRecorder, lake: Writing, progress: Progress, batch: int) -> None:
    """Whatever is recorded now, batch by batch."""
    end = recorder.settled_nodes()
    missing = recorder.count_between(lake.manifest.reached.followed, end)
    total = lake.manifest.reached.events - lake.manifest.events + missing
    while rows := _next_rows(recorder, lake.manifest.reached.followed, end, batch):
        _add_events(recorder, lake, rows)
        progress(lake.manifest.reached.events - lake.manifest.events, 2 * total)


def _complete(ledger: Ledger, lake: Writing, progress: Progress, jobs: int, batch: int) -> int:
    """Add the facts of what the run has brought, and let all of it count; how many encounters it has touched."""
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


def _require_fit(ledger: Ledger, place: Place, manifest: Manifest) -> None:
    """Refuse a lake that is about other events than those of this ledger, or has tables of another form."""
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


def _next_rows(recorder: LedgerRecorder, followed: Position, end: Position, batch: int) -> list[Stored]:
    """The next events of all nodes, those of each encounter in order."""
    if len(end) > 1:
        return _next_of_nodes(recorder, followed, end, batch)
    return [
        Stored(found[0], found[1], Row(found[2], found[3], bytes(found[4]), bytes(found[5])))
        for found in recorder.select(_NEW, (followed[0], end[0], batch))
    ]


def _next_of_nodes(recorder: LedgerRecorder, followed: Position, end: Position, batch: int) -> list[Stored]:
    found = recorder.select_after(followed, batch, marks=end)
    hashes = dict(recorder.select(_HASHES, ([notification.id for notification in found],)))
    return [
        Stored(
            one.id, encounter_of(one), Row(one.originator_version, one.topic, bytes(one.state), bytes(hashes[one.id]))
        )
        for one in found
    ]


def _add_events(recorder: LedgerRecorder, lake: Writing, rows: Sequence[Stored]) -> None:
    """One batch: its files first, and then the list that names them."""
    before = lake.manifest.reached
    followed = joined(before.followed, (stored.notification for stored in rows))
    has_nodes = len(followed) > 1
    position = before.position + len(rows) if has_nodes else rows[-1].notification
    with staging(lake.turn.room) as staged:
        files = tuple(_event_files(recorder, lake, staged, rows, range(before.position + 1, position + 1)))
    run = Underway(
        position=position,
        nodes=followed if has_nodes else {},
        events=before.events + len(rows),
        files=(*lake.manifest.underway.files, *files) if lake.manifest.underway is not None else files,
        last=_last_event(rows[-1]),
    )
    lake.replace(underway=run)


def _event_files(
    recorder: LedgerRecorder, lake: Writing, staged: Staging, rows: Sequence[Stored], made_from: range
) -> Iterator[LakeFile]:
    known = filed(recorder, {stored.encounter for stored in rows})
    by_partition: dict[Partition, list[Sequence[Any]]] = {}
    for notification, encounter, row in rows:
        by_partition.setdefault(known[encounter].partition, []).append((notification, encounter, *row))
    for partition, own in sorted(by_partition.items()):
        staged.add(EVENTS, own)
        yield lake.add(EVENTS.name, partition, made_from, len(own), partial(staged.write, EVENTS))


def _last_event(stored: Stored) -> LastEvent:
    notification, encounter, row = stored
    return LastEvent(notification=notification, encounter=str(encounter), seq=row.seq, hash=row.hash.hex())
