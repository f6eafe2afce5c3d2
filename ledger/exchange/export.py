"""The lines of an export: write them, read them, rename their fight, and buffer them until they are recorded.

Each line is one event as JSON, with its hash. The state of an event is exported as the stored text, so that its hash
can be checked byte by byte. An encounter's id is derived from its name, so another name means another id and other
hashes; with the old ids and names put back, every event has its original hash again. Imported events are buffered on
disk, so that a file of any size needs little memory.
"""

from __future__ import annotations

import json
import marshal
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from io import SEEK_END
from operator import itemgetter
from struct import Struct
from tempfile import TemporaryFile
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.sql import SQL
from pydantic_core import from_json, to_json

from ledger.errors import Problem
from ledger.events import EncounterImported, EncounterOpened, Event, Forked
from ledger.registry import GENESIS, chained_hash, decode, encode, stored_names
from ledger.store import encounters
from ledger.store.appending import BlobArray, EventBatch, TextArray
from ledger.store.ledger import LedgerStore, Stored, encounter_id
from ledger.store.recorder import LedgerRecorder, StoredRow


def export_lines(ledger: LedgerStore, references: Iterable[str]) -> Iterator[str]:
    """The events of these encounters and of their shared pasts: each once, a past before the forks that share it."""
    written: set[tuple[UUID, int]] = set()
    for reference in references:
        history = ledger.history(encounter_id(reference))
        if not history:
            raise ledger.unknown(reference)
        for encounter, row in history:
            if (encounter, row.seq) not in written:
                written.add((encounter, row.seq))
                yield _line(encounter, row)


def lines_of(events: Sequence[Event]) -> Iterator[str]:
    """The same for a whole fight that is not in a ledger."""
    head = GENESIS
    for event in events:
        name, state = encode(event)
        head = chained_hash(head, event.encounter, event.seq, name, state)
        yield _line(event.encounter, StoredRow(event.seq, name, state, head))


def _line(encounter: UUID, row: StoredRow) -> str:
    fields = {"encounter": str(encounter), "seq": row.seq, "name": row.name}
    return json.dumps({**fields, "state": row.state.decode(), "hash": row.hash.hex()}, ensure_ascii=False)


class ExportLine(NamedTuple):
    """An event of an export, as it would be stored."""

    encounter: UUID
    seq: int
    name: str
    state: bytes
    hash: bytes


def read_line(number: int, line: bytes) -> ExportLine:
    try:
        return _checked_line(from_json(line))
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(
            "import/unreadable",
            f"Line {number} is not an event of an export.",
            line=number,
        ) from error


def _checked_line(data: dict[str, Any]) -> ExportLine:
    """A line with checked types. Nothing is converted: a seq in quotes, or one with a fraction, is not accepted."""
    encounter, seq, name, state, hashed = _fields(data)
    if type(seq) is not int or not (type(encounter) is type(name) is type(state) is type(hashed) is str):
        raise TypeError("a field has the wrong type")
    return ExportLine(_id(encounter), seq, name, state.encode("utf-8"), bytes.fromhex(hashed))


_fields = itemgetter("encounter", "seq", "name", "state", "hash")
_id = lru_cache(64)(UUID)
"""Cached: consecutive lines mostly have the same encounter, and then share one UUID object."""


_BEGINNINGS = set(stored_names([EncounterOpened, Forked]))
_IMPORTED = set(stored_names([EncounterImported]))
_SELECT_IMPORTED = SQL(
    "SELECT originator_id, topic, state FROM combatlog.ledger_events"
    " WHERE split_part(topic, '.', 1) = 'encounter_imported' ORDER BY notification_id"
).format()


class EncounterIdentity(NamedTuple):
    encounter: UUID
    name: str


EncounterIdentities = Mapping[UUID, tuple[EncounterIdentity, EncounterIdentity]]
"""The old and the new identity of each encounter, by its old id."""


def renamed(rows: Iterable[Stored], identities: EncounterIdentities, head: bytes = GENESIS) -> Iterator[Stored]:
    """The rows of a fight with other ids and names, and the resulting hashes."""
    for encounter, row in rows:
        state = _with_parent(row, identities)
        if encounter in identities:
            was, becomes = identities[encounter]
            state = _replaced(state, "encounter", str(was.encounter), str(becomes.encounter))
            if row.name in _BEGINNINGS:
                state = _replaced(state, "name", was.name, becomes.name)
            encounter = becomes.encounter
        head = chained_hash(head, encounter, row.seq, row.name, state)
        yield encounter, StoredRow(row.seq, row.name, state, head)


def _with_parent(row: StoredRow, identities: EncounterIdentities) -> bytes:
    if row.seq == 1 or row.name not in _BEGINNINGS:
        return row.state
    parent = UUID(from_json(row.state)["parent"])
    if parent not in identities:
        return row.state
    was, becomes = identities[parent]
    return _replaced(row.state, "parent", str(was.encounter), str(becomes.encounter))


def _replaced(state: bytes, field: str, old: str, new: str) -> bytes:
    """The state with a new value in a field. JSON escapes quotes in texts, so the match is the field itself."""
    before, after = (b'"' + field.encode() + b'":' + to_json(value) for value in (old, new))
    return state.replace(before, after, 1)


def imports_in(rows: Sequence[Stored]) -> list[EncounterImported]:
    """The imports under another name of this fight or of those it was forked from, the last one first."""
    found = (decode(row.name, row.state) for _, row in reversed(rows) if row.name in _IMPORTED)
    return [event for event in found if isinstance(event, EncounterImported)]


def as_imported(rows: Sequence[Stored], imported: EncounterImported) -> list[Stored]:
    """The rows before an import, with the ids, names and hashes that they had in the other ledger."""
    before = [stored for stored in rows if stored[1].seq < imported.seq]
    names = {encounter: from_json(row.state)["name"] for encounter, row in before if row.name in _BEGINNINGS}
    identities = {
        original.here: (
            EncounterIdentity(original.here, names[original.here]),
            EncounterIdentity(original.encounter, original.name),
        )
        for original in imported.originals
        if original.here in names
    }
    return list(renamed(before, identities))


def renamed_copies(recorder: LedgerRecorder) -> dict[UUID, list[EncounterImported]]:
    """The imports under another name, by the original id of the fight, oldest first."""
    found: dict[UUID, list[EncounterImported]] = {}
    for _, name, state in recorder.select(_SELECT_IMPORTED):
        event = decode(name, bytes(state))
        if isinstance(event, EncounterImported) and event.originals:
            found.setdefault(event.originals[0].encounter, []).append(event)
    return found


def stored_name_of(recorder: LedgerRecorder, encounter: UUID) -> str:
    """The name in an encounter's first event."""
    (begun,) = encounters.beginnings_of(recorder, [encounter])
    return str(from_json(begun.state)["name"])


MAX_EVENTS = 200_000
MAX_BYTES = 500_000_000
"""Limits for one encounter, because all of its events are read into memory."""
_LENGTH = Struct(">Q")
_MOST_AT_ONCE = 5_000
_MOST_BYTES_AT_ONCE = 8_000_000
"""The size of one database call: large enough to make calls rare, small enough to fit into memory."""


class ImportBuffer:
    """Buffers events on disk in any order. Consecutive events of an encounter are stored as one batch."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed by close
        self._places: dict[UUID, array[int]] = {}
        """Where the batches of each encounter are in the file, in the order they came."""
        self._sizes: dict[UUID, tuple[int, int]] = {}
        """How many events and bytes each encounter has in the file."""
        self._open: EventBatch | None = None
        """The batch that is not written to the file yet."""
        self._bytes = 0
        self._left_out: frozenset[UUID] = frozenset()
        self.count = 0
        """How many events are to be recorded."""

    def close(self) -> None:
        self._file.close()

    def add(self, line: ExportLine) -> EventBatch | None:
        """Add an event. Returns the previous batch if this event completes it by starting a new one."""
        complete = None
        encounter, seq, name, state, hashed = line
        batch = self._open
        if batch is None or not self._belongs(batch, encounter, seq):
            complete = self.close_batch()
            batch = self._open = EventBatch(encounter, seq, TextArray(), BlobArray(), BlobArray())
        batch.names.append(name)
        batch.states.append(state)
        batch.hashes.append(hashed)
        self._bytes += len(state)
        self.count += 1
        return complete

    def _belongs(self, batch: EventBatch, encounter: UUID, seq: int) -> bool:
        events = len(batch.names)
        if events >= _MOST_AT_ONCE or self._bytes >= _MOST_BYTES_AT_ONCE:
            return False
        return batch.first + events == seq and batch.encounter.int == encounter.int

    def close_batch(self) -> EventBatch | None:
        """Write the open batch to the file and return it, if there is one."""
        closed = self._open
        if closed is None:
            return None
        encounter, first, names, states, hashes = closed
        self._check_size(encounter, len(names))
        self._places.setdefault(encounter, array("Q")).append(self._file.seek(0, SEEK_END))
        packed = marshal.dumps((encounter.bytes, first, list(names), list(states), list(hashes)))
        self._file.writelines((_LENGTH.pack(len(packed)), packed))
        self._open, self._bytes = None, 0
        return closed

    def _check_size(self, encounter: UUID, added: int) -> None:
        events, size = self._sizes.get(encounter, (0, 0))
        events, size = self._sizes[encounter] = events + added, size + self._bytes
        if size > MAX_BYTES or events > MAX_EVENTS:
            raise Problem(
                "import/too-large",
                f"Encounter {encounter} has more than {MAX_EVENTS} events or {MAX_BYTES} bytes; no fight is that long.",
                encounter=str(encounter),
                most_events=MAX_EVENTS,
                most_bytes=MAX_BYTES,
            )

    def size(self, encounter: UUID) -> int:
        """How many events of an encounter were added."""
        self.close_batch()
        return self._sizes.get(encounter, (0, 0))[0]

    def rows_to_record(self, encounter: UUID) -> Iterator[StoredRow]:
        return iter(()) if encounter in self._left_out else self.rows_of(encounter)

    def leave_out(self, encounters: Iterable[UUID]) -> None:
        """Record no events of these encounters. No more events of them may be added."""
        self.close_batch()
        self._left_out = frozenset(encounters)
        self.count -= sum(self._sizes[encounter][0] for encounter in self._left_out if encounter in self._sizes)

    def rows_of(self, encounter: UUID) -> Iterator[StoredRow]:
        """The rows of an encounter in the order they came, even if it is left out."""
        self.close_batch()
        for place in self._places.get(encounter, ()):
            self._file.seek(place)
            batch = self._next()
            columns = zip(batch.names, batch.states, batch.hashes, strict=True)
            for seq, (name, state, hashed) in enumerate(columns, batch.first):
                yield StoredRow(seq, name, state, hashed)

    def batches(self) -> Iterator[EventBatch]:
        """All batches of encounters that are not left out, in the order they came. No more events can be added."""
        self.close_batch()
        self._file.seek(0)
        for _ in range(sum(map(len, self._places.values()))):
            batch = self._next()
            if batch.encounter not in self._left_out:
                yield batch

    def _next(self) -> EventBatch:
        (length,) = _LENGTH.unpack(self._file.read(_LENGTH.size))
        encounter, first, names, states, hashes = marshal.loads(self._file.read(length))  # noqa: S302 - our own file
        return EventBatch(UUID(bytes=encounter), first, TextArray(names), BlobArray(states), BlobArray(hashes))
