"""Writing a lake: what was recorded since the last run is added, batch by batch.

Events are only ever added. What a correction changes in the facts of earlier events cannot be added, so the facts and
the state of an encounter are written anew whenever it has new events; readers take the newest (`batch`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from psycopg.sql import SQL

from ledger.errors import Problem
from ledger.positions import Position, joined
from ledger.recorder import LedgerRecorder, Row, encounter_of
from ledger.store import Ledger
from ledger.store import Stored as Origin
from projections.lake.manifest import LakeFile, LastEvent, Manifest, Writing, require_form, writing
from projections.lake.partitions import Partition, filed
from projections.lake.places import Place, place_of
from projections.lake.tables import EVENTS, FIGHTS, LAKE_TABLES
from projections.parquet import Staging, insert_rows, staging
from projections.readmodels.ddl import FINGERPRINT
from projections.readmodels.encounter_projection import Row as FactRow
from projections.readmodels.row_projection import RowProjection, past_of
from projections.readmodels.writer import with_expressible_dates

BATCH = 50_000
"""Events that are written at once, and done again if the writer is killed."""

Progress = Callable[[int, int], None]
"""Called with how many of how many events are written."""

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
    ledger: Ledger, where: str | Path, progress: Progress = lambda done, total: None, *, batch: int = BATCH
) -> Written:
    """Bring everything that is recorded into the lake. If it is interrupted, the next run goes on."""
    place = place_of(where)
    with writing(place, FINGERPRINT, partial(_require_fit, ledger, place)) as lake:
        before = lake.manifest
        end = ledger.recorder.settled_nodes()
        total = ledger.recorder.count_between(before.followed, end)
        touched: set[UUID] = set()
        while rows := _next_rows(ledger.recorder, lake.manifest.followed, end, batch):
            _add(ledger, lake, rows)
            touched.update(stored.encounter for stored in rows)
            progress(lake.manifest.events - before.events, total)
        new = len(lake.manifest.files) - len(before.files)
        return Written(lake.manifest.events - before.events, len(touched), new, lake.manifest.position)


def _require_fit(ledger: Ledger, place: Place, manifest: Manifest) -> None:
    """Refuse a lake that is about other events than those of this ledger, or has tables of another form."""
    require_form(place, manifest, FINGERPRINT)
    if (last := manifest.last) is None:
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


def _add(ledger: Ledger, lake: Writing, rows: Sequence[Stored]) -> None:
    """One batch: its files first, and then the list that makes them count."""
    batch = _Batch(ledger, lake, rows)
    with staging(lake.turn.room) as staged:
        files = [file for partition in batch.partitions() for file in batch.write(staged, partition)]
    lake.replace(
        position=batch.position,
        nodes=batch.nodes,
        events=lake.manifest.events + len(rows),
        files=(*lake.manifest.files, *files),
        last=_last_event(rows[-1]),
    )


def _last_event(stored: Stored) -> LastEvent:
    notification, encounter, row = stored
    return LastEvent(notification=notification, encounter=str(encounter), seq=row.seq, hash=row.hash.hex())


class _Batch:
    """New events on their way into the lake, with the facts of the encounters that they belong to."""

    def __init__(self, ledger: Ledger, lake: Writing, rows: Sequence[Stored]) -> None:
        manifest = lake.manifest
        self._ledger = ledger
        self._turn = lake.turn
        self._rows = rows
        self._known = filed(ledger.recorder, {stored.encounter for stored in rows})
        self._after = manifest.position
        followed = joined(manifest.followed, (stored.notification for stored in rows))
        has_nodes = len(followed) > 1
        self.nodes = followed if has_nodes else {}
        self.position = manifest.position + len(rows) if has_nodes else rows[-1].notification
        self._edition = manifest.edition + 1

    def partitions(self) -> list[Partition]:
        return sorted({about.partition for about in self._known.values()})

    def write(self, staged: Staging, partition: Partition) -> Iterator[LakeFile]:
        counts: Counter[str] = Counter()
        insert_rows(staged, LAKE_TABLES, _counted(self._rows_in(partition), counts))
        for table, count in counts.items():
            path = str(partition.file(table, self._after + 1, self.position, self._edition))
            with self._turn.adding(path) as file:
                staged.write(LAKE_TABLES[table], file)
            yield LakeFile(
                table=table,
                ruleset=partition.ruleset,
                month=partition.month,
                path=path,
                rows=count,
                first=self._after + 1,
                last=self.position,
            )

    def _rows_in(self, partition: Partition) -> Iterator[FactRow]:
        last: dict[UUID, int] = {}
        for notification, encounter, row in self._rows:
            if self._known[encounter].partition == partition:
                yield EVENTS.name, (notification, encounter, *row)
                last[encounter] = max(row.seq, last.get(encounter, 0))
        for encounter, seq in last.items():
            yield from self._about(encounter, seq)

    def _about(self, encounter: UUID, seq: int) -> Iterator[FactRow]:
        """Everything that is known of an encounter after one of its events."""
        own = self._ledger.recorder.select_rows(encounter, upto=seq)
        name, partition = self._known[encounter]
        yield FIGHTS.name, (encounter, self.position, name, *partition, seq, len(own), own[-1].hash)
        for table, values in facts_and_state(encounter, past_of(self._ledger, encounter, own[0].seq), own):
            yield table, (*values, self.position)


def _counted(rows: Iterable[FactRow], counts: Counter[str]) -> Iterator[FactRow]:
    for table, values in rows:
        counts[table] += 1
        yield table, values


def facts_and_state(encounter: UUID, past: Sequence[Origin], own: Iterable[Row]) -> Iterator[FactRow]:
    """Every row of the read models about one encounter."""
    projection = RowProjection(encounter, past)
    for row in own:
        projection.feed(row)
    for table, values in chain(projection.take_facts(), projection.state()):
        yield table, tuple(with_expressible_dates(table, values))
