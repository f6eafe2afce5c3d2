"""Import another ledger's export: all of it or nothing, and nothing that could not be used here.

Every line is checked by itself, then its position and hash, and then that every encounter folds after each event. It is
not checked whether declarations still resolve to the same events: the rules may have changed since, and verification
reports that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import IO, Annotated
from uuid import UUID, uuid4

from pydantic import Field
from pydantic_core import from_json

from combatlog.rules.content.limits import (
    MAX_IMPORT,
    MAX_IMPORT_EVENTS,
    MAX_IMPORT_LINE,
    check_stored,
    is_plainly_storable,
)
from combatlog.rules.engine.grid.squares import read_map
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.command_checks import check_name
from combatlog.rules.engine.resolution.fight_engine import utc_now
from combatlog.rules.exchange.import_folding import FoldCheck, check_folding, too_large
from combatlog.rules.exchange.import_renaming import NO_RENAMES, Renamed, Renames, Settlement
from ledger.errors import Problem
from ledger.events import EncounterImported, EncounterOpened, Event, Forked, Original
from ledger.exchange.export import EncounterIdentities, ExportLine, ImportBuffer, read_line, renamed
from ledger.exchange.import_checks import ArrivingEvents, LeftOutFight
from ledger.json_shapes import WHOLE, Documented
from ledger.registry import GENESIS, chained_hash, decode, encode
from ledger.store.appending import EventBatch
from ledger.store.ledger import LedgerStore, Stored, with_shared_past
from ledger.store.recorder import StoredRow
from projections.battle.fold import fold


@dataclass(frozen=True, slots=True)
class ImportedEvents(Documented):
    __pydantic_config__ = WHOLE

    encounters: Annotated[int, Field(description="how many encounters the file has")]
    """Without those that were skipped."""
    events: Annotated[int, Field(description="how many events were new")]
    known: Annotated[int, Field(description="how many were already here or appeared twice in the file")]
    left_out: Annotated[list[LeftOutFight], Field(description="fights that were skipped as requested")]
    """This ledger has other events in their place."""
    renamed: Annotated[
        list[Renamed],
        Field(description="fights with another name here, and their forks"),
    ] = field(default_factory=list)


def import_events(
    ledger: LedgerStore, file: IO[bytes], *, skip_existing: bool = False, renames: Renames = NO_RENAMES
) -> ImportedEvents:
    """Record the events of a file that this ledger lacks: all of them, or none if there is any problem.

    With `renames`, fights with names that are taken here get other names. With `skip_existing`, fights that still
    conflict with those of this ledger are skipped, together with their forks.
    """
    with closing(_Import(ledger, file, skip_existing=skip_existing, renames=renames)) as work:
        ledger.recorder.insert_batches(work.batches())
        return work.outcome()


class _Import:
    """The import of one file."""

    def __init__(self, ledger: LedgerStore, file: IO[bytes], *, skip_existing: bool, renames: Renames) -> None:
        self._ledger = ledger
        self._file = file
        self._skip_existing = skip_existing
        self._renames = renames
        self._at_once = not (skip_existing or renames or ledger.recorder.on_cluster) and file.seekable()
        """Whether to record while reading. Not from a pipe: it may be slow, and all followers would wait for it."""
        self._arrivals = ArrivingEvents(ledger, collect_conflicts=skip_existing or bool(renames))
        self._sense = FoldCheck()
        self._buffer, self._copied = ImportBuffer(), ImportBuffer()

    def close(self) -> None:
        self._buffer.close()
        self._copied.close()

    def batches(self) -> Iterator[EventBatch]:
        """The batches to record, unless a problem is raised before the end."""
        for batch in self._read():
            if self._at_once:
                yield batch
        self._settlement = self._settle()
        if not self._at_once:
            yield from self._buffer.batches()
        yield from self._copied.batches()

    def _read(self) -> Iterator[EventBatch]:
        """Check every line by itself and keep new events."""
        for number, text in numbered_lines(self._file):
            line = read_line(number, text)
            event = self._arrivals.admit(number, line)
            if event is None:
                continue
            _check_content(number, event, line.state)
            complete = self._buffer.add(line)
            self._sense.take(event)
            if complete is not None:
                yield complete
        if (last := self._buffer.close_batch()) is not None:
            yield last

    def _settle(self) -> Settlement:
        """Settle the conflicts between fights, and make the checks that need all lines."""
        settlement = Settlement(self._ledger, self._arrivals, self._renames)
        settlement.settle()
        if settlement.conflicts and not self._skip_existing:
            raise next(iter(settlement.conflicts.values())).problem
        self._buffer.leave_out({*settlement.conflicts, *settlement.identities})
        past = Past(self._ledger, self._buffer, self._copied)
        self._sense.check_rest(past.events, {*settlement.conflicts, *settlement.identities})
        for encounter in settlement.new:
            copy_fight(encounter, self._arrivals, settlement, past)
        return settlement

    def outcome(self) -> ImportedEvents:
        settlement, buffer = self._settlement, self._buffer
        here = [encounter for encounter in settlement.identities if encounter not in settlement.new]
        known = self._arrivals.known + sum(buffer.size(encounter) for encounter in here)
        encounters = len(self._arrivals.encounters - settlement.conflicts.keys())
        events = buffer.count + self._copied.count
        return ImportedEvents(encounters, events, known, settlement.left_out(), settlement.renamed())


def numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The nonblank lines, one at a time in memory. Refuses lines longer than any event."""
    number, taken, events = 0, 0, 0
    while line := file.readline(MAX_IMPORT_LINE + 1):
        blank = line.isspace()
        number, taken, events = number + 1, taken + len(line), events + (not blank)
        if len(line) > MAX_IMPORT_LINE or taken > MAX_IMPORT or events > MAX_IMPORT_EVENTS:
            most = f"{MAX_IMPORT_EVENTS} events, {MAX_IMPORT} bytes, {MAX_IMPORT_LINE} bytes a line"
            raise too_large(f"Line {number}", most)
        if not blank:
            yield number, line


def _check_content(number: int, event: Event, state: bytes) -> None:
    """Apply the limits for user input."""
    try:
        if type(event) is EncounterOpened or type(event) is Forked:
            check_name(event.name)
        if type(event) is EncounterOpened and event.map is not None:
            read_map(event.map)
        if not is_plainly_storable(state):
            check_stored(from_json(state))
    except Refusal as refusal:
        raise Problem(
            "import/beyond-limits",
            f"Line {number} cannot be imported: {refusal.sentence}",
            line=number,
            because=refusal.code,
        ) from refusal


class Past:
    """Encounters as they will be after the import: events of this ledger, events of the file, and renamed copies."""

    def __init__(self, ledger: LedgerStore, buffer: ImportBuffer, copied: ImportBuffer) -> None:
        self._ledger = ledger
        self._buffer = buffer
        self.copied = copied

    def rows(self, encounter: UUID) -> list[Stored]:
        """Every row of an encounter, including a fork's past, which belongs to its parent."""
        return with_shared_past(encounter, self._own_rows)

    def events(self, encounter: UUID) -> Iterator[Event]:
        return (decode(row.name, row.state) for _, row in self.rows(encounter))

    def own_rows(self, encounter: UUID) -> list[StoredRow]:
        """The rows of an encounter in the file, in order."""
        return sorted(self._buffer.rows_of(encounter), key=lambda row: row.seq)

    def _own_rows(self, encounter: UUID) -> list[Stored]:
        here = self._ledger.recorder.select_rows(encounter)
        rows = [*here, *self._buffer.rows_to_record(encounter), *self.copied.rows_of(encounter)]
        by_seq = {row.seq: row for row in rows}  # some of the file's rows may already be stored here
        return [(encounter, by_seq[seq]) for seq in sorted(by_seq)]


def copy_fight(encounter: UUID, arrivals: ArrivingEvents, settlement: Settlement, past: Past) -> None:
    """Write a fight of the file under its new name, with an event that records its original identity."""
    identities = settlement.identities_of(encounter)
    rows = [(encounter, row) for row in past.own_rows(encounter)]
    copied = list(renamed(rows, identities, _head_before(encounter, arrivals, identities, past)))
    _check_reversible(rows, copied, identities, arrivals.head_before(encounter))
    for here, row in copied:
        past.copied.add(ExportLine(here, *row))
    here, last = copied[-1]
    past.copied.add(_imported(here, last, rows[-1][1].hash, identities, past))
    check_folding(past.events(here))


def _head_before(encounter: UUID, arrivals: ArrivingEvents, identities: EncounterIdentities, past: Past) -> bytes:
    """The hash here of the event before its first one."""
    fork = arrivals.fork(encounter)
    if fork is None:
        return GENESIS
    parent = identities[fork.parent][1].encounter if fork.parent in identities else fork.parent
    return next(row.hash for _, row in past.rows(parent) if row.seq == fork.at)


def _check_reversible(rows: list[Stored], copied: list[Stored], identities: EncounterIdentities, head: bytes) -> None:
    """Refuse a copy if restoring the old names does not restore the old hashes, because nobody could check it."""
    back = {here.encounter: (here, there) for there, here in identities.values()}
    if list(renamed(copied, back, head)) != rows or any(_claims(row) != here for here, row in copied):
        name = next(iter(identities.values()))[0].name
        raise Problem(
            "import/not-as-written",
            f"{name!r} cannot be renamed, because its events are encoded differently here. Nothing was imported.",
            name=name,
        )


def _claims(row: StoredRow) -> UUID:
    return decode(row.name, row.state).encounter


def _imported(encounter: UUID, last: StoredRow, head: bytes, identities: EncounterIdentities, past: Past) -> ExportLine:
    clock = fold(list(past.events(encounter))).clock
    event = EncounterImported(
        encounter=encounter,
        seq=last.seq + 1,
        recorded_at=utc_now(),
        declaration=last.seq + 1,
        round=clock.round,
        turn=clock.turn,
        command=uuid4(),
        originals=tuple(
            Original(here=here.encounter, encounter=there.encounter, name=there.name)
            for there, here in identities.values()
        ),
        head=head.hex(),
    )
    name, state = encode(event)
    return ExportLine(encounter, event.seq, name, state, chained_hash(last.hash, encounter, event.seq, name, state))
