"""Importing another ledger's export: all of it or nothing, and nothing that could not be used here.

Every line is checked by itself, then its place and hash, and then that every encounter folds after each of its events.
Whether its declarations still resolve to the same events is not checked: the rules may have changed since, and a
verification tells where.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, NamedTuple
from uuid import UUID

from pydantic_core import from_json

from ledger.errors import Problem
from ledger.events import EncounterOpened, Event, Forked
from ledger.import_buffer import ImportBuffer, record
from ledger.import_checks import Arrivals
from ledger.import_conflicts import LeftOut
from ledger.import_lines import read_line
from ledger.registry import decode
from ledger.store import Ledger, Stored, with_shared_past
from rules.content.limits import MAX_IMPORT, MAX_IMPORT_EVENTS, MAX_IMPORT_LINE, check_stored, is_plainly_storable
from rules.engine.fight import check_name
from rules.engine.grid import read_map
from rules.engine.import_sense import Sense, too_large
from rules.engine.refusal import Refusal


class Imported(NamedTuple):
    encounters: int
    """How many encounters the file has, without those that were left out."""
    events: int
    """How many events were new."""
    known: int
    """How many this ledger had already, or were in the file twice."""
    left_out: list[LeftOut]
    """The fights that this ledger has something else in the place of; only if those were to be skipped."""


def import_events(ledger: Ledger, file: IO[bytes], *, skip_existing: bool = False) -> Imported:
    """Record the events of a file that this ledger lacks: all of them, or none if anything is wrong.

    With `skip_existing`, fights that conflict with those of this ledger are left out with their forks.
    """
    arrivals, sense = Arrivals(ledger, skip_existing=skip_existing), Sense()
    with ImportBuffer() as buffer:
        for number, text in numbered_lines(file):
            line = read_line(number, text)
            event = arrivals.admit(number, line)
            if event is not None:
                _check_content(number, event, line.state)
                buffer.add(line)
                sense.take(event)
        left_out = arrivals.left_out()
        skipped = {left.encounter for left in left_out}
        buffer.leave_out(skipped)
        sense.check_rest(lambda encounter: _history(ledger, buffer, encounter), skipped)
        if buffer.count:
            record(ledger, buffer)
        return Imported(len(arrivals.encounters - skipped), buffer.count, arrivals.known, left_out)


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


def _history(ledger: Ledger, buffer: ImportBuffer, encounter: UUID) -> Iterator[Event]:
    """Every event of an encounter, from this ledger and from the file; a fork's past is its parent's."""

    def own_rows(origin: UUID) -> list[Stored]:
        rows = [*ledger.recorder.select_rows(origin), *buffer.rows_of(origin)]
        return [(origin, row) for row in sorted(rows, key=lambda row: row.seq)]

    return (decode(row.name, row.state) for _, row in with_shared_past(encounter, own_rows))
