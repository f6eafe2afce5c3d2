"""Fights under another name: their events with other ids, and the same events with the ids they came with.

An encounter's id follows from its name, so another name means another id and other hashes. Only the ids and the names
change, as bytes: put back, every event has the hash that it had before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from psycopg.sql import SQL
from pydantic_core import from_json, to_json

from ledger import beginnings
from ledger.events import EncounterImported, EncounterOpened, Forked
from ledger.hashing import GENESIS, link
from ledger.recorder import LedgerRecorder, Row
from ledger.registry import decode, stored_names
from ledger.store import Stored

_BEGINNINGS = set(stored_names([EncounterOpened, Forked]))
_IMPORTED = set(stored_names([EncounterImported]))
_SELECT_IMPORTED = SQL(
    "SELECT originator_id, topic, state FROM combatlog.ledger_events"
    " WHERE split_part(topic, '.', 1) = 'encounter_imported' ORDER BY notification_id"
).format()


class Identity(NamedTuple):
    encounter: UUID
    name: str


Identities = Mapping[UUID, tuple[Identity, Identity]]
"""What each encounter was and what it becomes, by the id that it had."""


def renamed(rows: Iterable[Stored], identities: Identities, head: bytes = GENESIS) -> Iterator[Stored]:
    """The rows of a fight with other ids and names, and the hashes that follow from them."""
    for encounter, row in rows:
        state = _with_parent(row, identities)
        if encounter in identities:
            was, becomes = identities[encounter]
            state = _replaced(state, "encounter", str(was.encounter), str(becomes.encounter))
            if row.name in _BEGINNINGS:
                state = _replaced(state, "name", was.name, becomes.name)
            encounter = becomes.encounter
        head = link(head, encounter, row.seq, row.name, state)
        yield encounter, Row(row.seq, row.name, state, head)


def _with_parent(row: Row, identities: Identities) -> bytes:
    if row.seq == 1 or row.name not in _BEGINNINGS:
        return row.state
    parent = UUID(from_json(row.state)["parent"])
    if parent not in identities:
        return row.state
    was, becomes = identities[parent]
    return _replaced(row.state, "parent", str(was.encounter), str(becomes.encounter))


def _replaced(state: bytes, field: str, old: str, new: str) -> bytes:
    """Quotes within a text are escaped in JSON, so what is found is a field and not somebody's words."""
    before, after = (b'"' + field.encode() + b'":' + to_json(value) for value in (old, new))
    return state.replace(before, after, 1)


def imports_in(rows: Sequence[Stored]) -> list[EncounterImported]:
    """Every time that this fight, or one it was forked from, was imported under another name; the last one first."""
    found = (decode(row.name, row.state) for _, row in reversed(rows) if row.name in _IMPORTED)
    return [event for event in found if isinstance(event, EncounterImported)]


def as_imported(rows: Sequence[Stored], imported: EncounterImported) -> list[Stored]:
    """The rows before an import with the ids, the names and so the hashes that they had in the other ledger."""
    before = [stored for stored in rows if stored[1].seq < imported.seq]
    names = {encounter: from_json(row.state)["name"] for encounter, row in before if row.name in _BEGINNINGS}
    identities = {
        original.here: (Identity(original.here, names[original.here]), Identity(original.encounter, original.name))
        for original in imported.originals
        if original.here in names
    }
    return list(renamed(before, identities))


def copies(recorder: LedgerRecorder) -> dict[UUID, list[EncounterImported]]:
    """The fights that were imported under another name, by the id they had; the oldest first."""
    found: dict[UUID, list[EncounterImported]] = {}
    for _, name, state in recorder.select(_SELECT_IMPORTED):
        event = decode(name, bytes(state))
        if isinstance(event, EncounterImported) and event.originals:
            found.setdefault(event.originals[0].encounter, []).append(event)
    return found


def name_of(recorder: LedgerRecorder, encounter: UUID) -> str:
    """The name in an encounter's first event."""
    (begun,) = beginnings.of(recorder, [encounter])
    return str(from_json(begun.state)["name"])
