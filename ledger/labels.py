"""Labels of encounters: the two that mean something, and the events that decide which ones an encounter has.

An index finds these events, so that a page of encounters costs what it shows.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from uuid import UUID

from psycopg.sql import SQL

from ledger.errors import Problem
from ledger.events import Event
from ledger.recorder import LedgerRecorder
from ledger.registry import decode

PRACTICE = "practice"
"""It does not count in statistics across fights."""
ARCHIVED = "archived"
"""Neither does it, and lists leave it out."""

_IS_LABEL = SQL("split_part(topic, '.', 1) = 'encounter_labelled'")
_DECIDES = SQL("split_part(topic, '.', 1) IN ('encounter_labelled', 'undone', 'redone', 'amended', 'inserted')")
_SELECT = SQL("SELECT originator_id, topic, state FROM combatlog.ledger_events WHERE ")
_LABELLED = SQL(
    "SELECT DISTINCT originator_id FROM combatlog.ledger_events WHERE originator_id = ANY(%s) AND {} AND {}"
).format(_DECIDES, _IS_LABEL)
_DECIDING = _SELECT + SQL("originator_id = ANY(%s) AND {} ORDER BY originator_id, originator_version").format(_DECIDES)
_NUMBERED = _SELECT + SQL("(originator_id, originator_version) IN (SELECT unnest(%s::uuid[]), unnest(%s::bigint[]))")


def deciding_events(recorder: LedgerRecorder, encounters: Collection[UUID]) -> dict[UUID, list[Event]]:
    """What labels these encounters, and the corrections that may take it back; encounters without labels are not in it.

    What cannot be read is left out: a list shows what it can.
    """
    labelled = [row[0] for row in recorder.select(_LABELLED, (list(encounters),))] if encounters else []
    if not labelled:
        return {}
    found = _read(recorder.select(_DECIDING, (labelled,)))
    # A correction may have put the declaration of a label in place of another, which only the declaration says.
    declared = [(encounter, event.declaration) for encounter, events in found.items() for event in events]
    numbered = [list(column) for column in zip(*declared, strict=True)] if declared else [[], []]
    for encounter, events in _read(recorder.select(_NUMBERED, numbered)).items():
        known = {event.seq for event in found[encounter]}
        found[encounter] += [event for event in events if event.seq not in known]
        found[encounter].sort(key=lambda event: event.seq)
    return found


def _read(rows: Collection[tuple[UUID, str, bytes]]) -> dict[UUID, list[Event]]:
    found: dict[UUID, list[Event]] = {}
    for encounter, name, state in rows:
        with suppress(Problem):
            found.setdefault(encounter, []).append(decode(name, bytes(state)))
    return found
