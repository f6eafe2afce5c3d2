"""Pages of encounters with their labels and progress: not started, in a round, or over.

One query finds the last round of each encounter and whether it was closed. Only two kinds of fights are read in full:
those with corrections, which may have retracted these events, and forks, whose past is stored elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from psycopg.sql import SQL
from pydantic_core import from_json

from ledger.errors import Problem
from ledger.events import EncounterLabelled, Event
from ledger.store import encounters
from ledger.store.encounters import ARCHIVED, ListedEncounter, Page, deciding_events
from ledger.store.ledger import LedgerStore
from projections.battle.snapshots import read_battle
from projections.battle.timeline import timeline_of

_KIND = SQL("split_part(topic, '.', 1)")
_LATEST = SQL(
    "SELECT DISTINCT ON (originator_id, {kind}) originator_id, {kind}, state FROM combatlog.ledger_events"
    " WHERE originator_id = ANY(%s)"
    " AND {kind} IN ('round_started', 'encounter_closed', 'undone', 'amended', 'inserted', 'redone')"
    " ORDER BY originator_id, {kind}, originator_version DESC"
).format(kind=_KIND)
_CORRECTIONS = {"undone", "amended", "inserted", "redone"}


class EncounterState(StrEnum):
    NOT_STARTED = "not started"
    UNDER_WAY = "under way"
    OVER = "over"


class EncounterProgress(NamedTuple):
    round: int
    """The current or last round; 0 before the start."""
    closed: bool

    @property
    def state(self) -> EncounterState:
        return (
            EncounterState.OVER
            if self.closed
            else EncounterState.UNDER_WAY
            if self.round
            else EncounterState.NOT_STARTED
        )

    @property
    def words(self) -> str:
        return f"round {self.round}" if self.state is EncounterState.UNDER_WAY else self.state.value


def progress_of(ledger: LedgerStore, listed: Sequence[ListedEncounter]) -> dict[UUID, EncounterProgress]:
    """By encounter. Encounters that cannot be read are omitted."""
    found: dict[UUID, dict[str, bytes]] = {entry.encounter: {} for entry in listed if entry.problem is None}
    for encounter, kind, state in ledger.recorder.select(_LATEST, (list(found),)):
        found[encounter][kind] = state
    forks = {entry.encounter for entry in listed if entry.parent is not None}
    known: dict[UUID, EncounterProgress] = {}
    for encounter, latest in found.items():
        with suppress(Problem, ValueError, LookupError, TypeError):
            is_plain = encounter not in forks and _CORRECTIONS.isdisjoint(latest)
            known[encounter] = _from(latest) if is_plain else _read(ledger, encounter)
    return known


def with_progress(page: Page, known: Mapping[UUID, EncounterProgress]) -> Page:
    """The page, with the progress of each encounter."""
    return replace(page, encounters=tuple(_after(known.get(entry.encounter), entry) for entry in page))


def _after(progress: EncounterProgress | None, entry: ListedEncounter) -> ListedEncounter:
    return replace(entry, state=progress.state.value, round=progress.round) if progress is not None else entry


def progress_on(page: Page) -> dict[UUID, EncounterProgress]:
    """The progress of the encounters on a page."""
    return {
        one.encounter: EncounterProgress(one.round, one.state == EncounterState.OVER)
        for one in page
        if one.round is not None
    }


def _from(latest: dict[str, bytes]) -> EncounterProgress:
    begun = latest.get("round_started")
    return EncounterProgress(int(from_json(begun)["number"]) if begun is not None else 0, "encounter_closed" in latest)


def _read(ledger: LedgerStore, encounter: UUID) -> EncounterProgress:
    clock = read_battle(ledger, str(encounter)).clock
    return EncounterProgress(clock.round, clock.closed)


def labelled_page(ledger: LedgerStore, limit: int | None, after: str | None, *, archived: bool = False) -> Page:
    """The newest encounters with their labels. Archived ones are omitted unless they are asked for."""
    shown: list[ListedEncounter] = []
    passed_over = 0
    part = _labelled(ledger, ledger.page(limit, after))
    while True:
        for place, entry in enumerate(part, 1):
            if ARCHIVED in entry.labels and not archived:
                passed_over += 1
                continue
            shown.append(entry)
            if len(shown) == limit:
                more = place < len(part) or part.next is not None
                return Page(tuple(shown), part.total, entry.encounter if more else None, passed_over)
        if part.next is None:
            return Page(tuple(shown), part.total, None, passed_over)
        part = _labelled(ledger, ledger.page(limit, str(part.next)))


def labelled_encounter(ledger: LedgerStore, encounter: UUID) -> Page:
    """A page with one encounter, archived or not."""
    found = encounters.listed_encounters(ledger.recorder, [encounter])
    return _labelled(ledger, Page(tuple(found.values()), len(found), None))


def _labelled(ledger: LedgerStore, part: Page) -> Page:
    deciding = deciding_events(ledger.recorder, [entry.encounter for entry in part])
    entries = (replace(entry, labels=labels_after(deciding.get(entry.encounter, ()))) for entry in part)
    return replace(part, encounters=tuple(entries))


def labels_after(deciding: Sequence[Event]) -> tuple[str, ...]:
    """The current labels, from the events that decide them."""
    timeline = timeline_of(deciding)
    standing = (
        event for event in deciding if isinstance(event, EncounterLabelled) and event.declaration not in timeline.fallen
    )
    last = max(standing, key=lambda event: timeline.order.of(event.seq), default=None)
    return last.labels if last is not None else ()
