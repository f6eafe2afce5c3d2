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
from ledger.import_checks import Arrivals, read_row
from ledger.registry import decode
from ledger.store import Ledger, Stored, with_shared_past
from projections.readmodels.encounter_projection import EncounterProjection
from rules.content.limits import MAX_IMPORT, MAX_IMPORT_EVENTS, MAX_IMPORT_FOLDED, MAX_IMPORT_LINE, check_stored
from rules.engine.fight import check_name
from rules.engine.grid import read_map
from rules.engine.refusal import Refusal


class Imported(NamedTuple):
    encounters: int
    """How many encounters the file has."""
    events: int
    """How many events were new."""
    known: int
    """How many this ledger had already, or were in the file twice."""


def import_events(ledger: Ledger, file: IO[bytes]) -> Imported:
    """Record the events of a file that this ledger lacks: all of them, or none if anything is wrong."""
    arrivals = Arrivals(ledger)
    with ImportBuffer() as buffer:
        for number, line in numbered_lines(file):
            row = read_row(number, line)
            event = arrivals.admit(number, row)
            if event is not None:
                _check_content(number, event, row.state)
                buffer.add(row, event.encounter)
        folded = 0
        for encounter in buffer.encounters:
            folded += check_sense(_history(ledger, buffer, encounter), folded)
        if buffer.count:
            record(ledger, buffer)
        return Imported(len(arrivals.encounters), buffer.count, arrivals.known)


def numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank. One at a time is in memory, and none longer than any event."""
    number, taken, events = 0, 0, 0
    while line := file.readline(MAX_IMPORT_LINE + 1):
        number, taken, events = number + 1, taken + len(line), events + bool(line.strip())
        if len(line) > MAX_IMPORT_LINE or taken > MAX_IMPORT or events > MAX_IMPORT_EVENTS:
            most = f"{MAX_IMPORT_EVENTS} events, {MAX_IMPORT} bytes, {MAX_IMPORT_LINE} bytes a line"
            raise _too_large(f"Line {number}", most)
        if line.strip():
            yield number, line


def _too_large(what: str, most: str) -> Refusal:
    sentence = f"{what} exceeds the limits of one import ({most}); export fewer encounters."
    return Refusal("import/too-large", sentence, what=what)


def _check_content(number: int, event: Event, state: bytes) -> None:
    """Apply the limits that hold for what people declare."""
    try:
        if isinstance(event, EncounterOpened | Forked):
            check_name(event.name)
        if isinstance(event, EncounterOpened) and event.map is not None:
            read_map(event.map)
        check_stored(from_json(state))
    except Refusal as refusal:
        raise Problem(
            "import/beyond-limits",
            f"Line {number} cannot be imported: {refusal.sentence}",
            line=number,
            because=refusal.code,
        ) from refusal


def check_sense(events: list[Event], folded: int) -> int:
    """Anybody can compute hashes. An event that no fold can apply would make its encounter unreadable for good."""
    if folded + len(events) > MAX_IMPORT_FOLDED:
        raise _too_large("The past that its forks share", f"{MAX_IMPORT_FOLDED} events with the pasts of all forks")
    encounter = EncounterProjection()
    seq = 0
    try:
        for event in events:
            seq = event.seq
            if events[event.declaration - 1].declaration != event.declaration:
                raise ValueError("its declaration is not one")
            encounter.feed(event)
        list(encounter.take_facts())
        list(encounter.state())
    except Exception as error:
        raise Problem(
            "import/senseless",
            f"Event {seq} of encounter {events[-1].encounter} cannot follow the events before it. "
            "Nothing was imported.",
            encounter=str(events[-1].encounter),
            seq=seq,
        ) from error
    return len(events)


def _history(ledger: Ledger, buffer: ImportBuffer, encounter: UUID) -> list[Event]:
    """Every event of an encounter, from this ledger and from the file; a fork's past is its parent's."""

    def own_rows(origin: UUID) -> list[Stored]:
        rows = [*ledger.recorder.select_rows(origin), *buffer.rows_of(origin)]
        return [(origin, row) for row in sorted(rows, key=lambda row: row.seq)]

    return [decode(row.name, row.state) for _, row in with_shared_past(encounter, own_rows)]
