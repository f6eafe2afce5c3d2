"""Importing another ledger's export: all of it or nothing, and nothing that could not be used here.

Every line is checked by itself, then its place and hash, and then that every encounter folds after each of its events.
Whether its declarations still resolve to the same events is not checked: the rules may have changed since, and a
verification tells where.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import IO, Annotated

from pydantic import Field
from pydantic_core import from_json

from combatlog.rules.content.limits import (
    MAX_IMPORT,
    MAX_IMPORT_EVENTS,
    MAX_IMPORT_LINE,
    check_stored,
    is_plainly_storable,
)
from combatlog.rules.engine.fight import check_name
from combatlog.rules.engine.grid import read_map
from combatlog.rules.engine.import_copies import Past, copy_fight
from combatlog.rules.engine.import_renaming import NO_RENAMES, Renamed, Renames, Settlement
from combatlog.rules.engine.import_sense import Sense, too_large
from combatlog.rules.engine.refusal import Refusal
from ledger.appending import Batch
from ledger.errors import Problem
from ledger.events import EncounterOpened, Event, Forked
from ledger.import_buffer import ImportBuffer
from ledger.import_checks import Arrivals
from ledger.import_conflicts import LeftOut
from ledger.import_lines import read_line
from ledger.json_shapes import WHOLE, Documented
from ledger.store import Ledger


@dataclass(frozen=True, slots=True)
class Imported(Documented):
    __pydantic_config__ = WHOLE

    encounters: Annotated[int, Field(description="how many encounters the file has")]
    """Without those that were left out."""
    events: Annotated[int, Field(description="how many events were new")]
    known: Annotated[int, Field(description="how many were here already, or were in the file twice")]
    left_out: Annotated[list[LeftOut], Field(description="fights that were skipped, as asked for")]
    """This ledger has something else in their place."""
    renamed: Annotated[
        list[Renamed],
        Field(description="fights that have another name here, or were forked from one that has"),
    ] = field(default_factory=list)


def import_events(
    ledger: Ledger, file: IO[bytes], *, skip_existing: bool = False, renames: Renames = NO_RENAMES
) -> Imported:
    """Record the events of a file that this ledger lacks: all of them, or none if anything is wrong.

    With `renames`, fights whose names are taken here get others. With `skip_existing`, fights that conflict with those
    of this ledger nevertheless are left out with their forks.
    """
    with closing(_Import(ledger, file, skip_existing=skip_existing, renames=renames)) as work:
        ledger.recorder.insert_batches(work.batches())
        return work.outcome()


class _Import:
    """The way of one file into the ledger."""

    def __init__(self, ledger: Ledger, file: IO[bytes], *, skip_existing: bool, renames: Renames) -> None:
        self._ledger = ledger
        self._file = file
        self._skip_existing = skip_existing
        self._renames = renames
        self._at_once = not (skip_existing or renames or ledger.recorder.on_cluster) and file.seekable()
        """Record what was read while the rest is read. A pipe may be slow, and all followers would wait for it."""
        self._arrivals = Arrivals(ledger, collect_conflicts=skip_existing or bool(renames))
        self._sense = Sense()
        self._buffer, self._copied = ImportBuffer(), ImportBuffer()

    def close(self) -> None:
        self._buffer.close()
        self._copied.close()

    def batches(self) -> Iterator[Batch]:
        """What is to be recorded, unless a problem is raised before the end."""
        for batch in self._read():
            if self._at_once:
                yield batch
        self._settlement = self._settle()
        if not self._at_once:
            yield from self._buffer.batches()
        yield from self._copied.batches()

    def _read(self) -> Iterator[Batch]:
        """Check every line by itself. Its event may be new, and then it is kept."""
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
        """Decide what becomes of the fights that conflict with others, and check what only all lines together tell."""
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

    def outcome(self) -> Imported:
        settlement, buffer = self._settlement, self._buffer
        here = [encounter for encounter in settlement.identities if encounter not in settlement.new]
        known = self._arrivals.known + sum(buffer.size(encounter) for encounter in here)
        encounters = len(self._arrivals.encounters - settlement.conflicts.keys())
        events = buffer.count + self._copied.count
        return Imported(encounters, events, known, settlement.left_out(), settlement.renamed())


def numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank. One at a time is in memory, and none longer than any event."""
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
    """Apply the limits that hold for what people declare."""
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
