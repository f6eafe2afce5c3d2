"""How far encounters have got: not started, in a round, or over.

For a list of many: one query finds the last round of each and whether it was closed. Only a fight with corrections, in
which these may have been taken back, and a fork, whose past is elsewhere, are read.
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
from ledger.listing import Listed, Page
from ledger.store import Ledger
from projections.reading import read_battle

_KIND = SQL("split_part(topic, '.', 1)")
_LATEST = SQL(
    "SELECT DISTINCT ON (originator_id, {kind}) originator_id, {kind}, state FROM combatlog.ledger_events"
    " WHERE originator_id = ANY(%s)"
    " AND {kind} IN ('round_started', 'encounter_closed', 'undone', 'amended', 'inserted', 'redone')"
    " ORDER BY originator_id, {kind}, originator_version DESC"
).format(kind=_KIND)
_CORRECTIONS = {"undone", "amended", "inserted", "redone"}


class State(StrEnum):
    NOT_STARTED = "not started"
    UNDER_WAY = "under way"
    OVER = "over"


class Progress(NamedTuple):
    round: int
    """The round it is in, or was in at the end; 0 before the start."""
    closed: bool

    @property
    def state(self) -> State:
        return State.OVER if self.closed else State.UNDER_WAY if self.round else State.NOT_STARTED

    @property
    def words(self) -> str:
        return f"round {self.round}" if self.state is State.UNDER_WAY else self.state.value


def progress_of(ledger: Ledger, listed: Sequence[Listed]) -> dict[UUID, Progress]:
    """By encounter. One that cannot be read is not in it."""
    found: dict[UUID, dict[str, bytes]] = {entry.encounter: {} for entry in listed if entry.problem is None}
    for encounter, kind, state in ledger.recorder.select(_LATEST, (list(found),)):
        found[encounter][kind] = state
    forks = {entry.encounter for entry in listed if entry.parent is not None}
    known: dict[UUID, Progress] = {}
    for encounter, latest in found.items():
        with suppress(Problem, ValueError, LookupError, TypeError):
            is_plain = encounter not in forks and _CORRECTIONS.isdisjoint(latest)
            known[encounter] = _from(latest) if is_plain else _read(ledger, encounter)
    return known


def with_progress(page: Page, known: Mapping[UUID, Progress]) -> Page:
    """The page, on which every encounter says how far it has got."""
    return replace(page, encounters=tuple(_after(known.get(entry.encounter), entry) for entry in page))


def _after(progress: Progress | None, entry: Listed) -> Listed:
    return replace(entry, state=progress.state.value, round=progress.round) if progress is not None else entry


def progress_on(page: Page) -> dict[UUID, Progress]:
    """What a page says about how far its encounters have got."""
    return {one.encounter: Progress(one.round, one.state == State.OVER) for one in page if one.round is not None}


def _from(latest: dict[str, bytes]) -> Progress:
    begun = latest.get("round_started")
    return Progress(int(from_json(begun)["number"]) if begun is not None else 0, "encounter_closed" in latest)


def _read(ledger: Ledger, encounter: UUID) -> Progress:
    clock = read_battle(ledger, str(encounter)).clock
    return Progress(clock.round, clock.closed)
