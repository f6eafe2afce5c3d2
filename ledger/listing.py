"""Listing encounters, page by page: only what a page shows is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast, overload
from uuid import UUID

from pydantic import Field, PlainSerializer

from ledger import beginnings
from ledger.beginnings import Beginning
from ledger.errors import Problem
from ledger.events import EncounterOpened, Forked
from ledger.json_shapes import WHOLE, Documented
from ledger.recorder import LedgerRecorder
from ledger.registry import decode

_Time = Annotated[datetime, PlainSerializer(datetime.isoformat, return_type=str, when_used="json")]


@dataclass(frozen=True, slots=True)
class Listed:
    """An encounter in a list."""

    __pydantic_config__ = WHOLE

    name: str
    encounter: UUID
    ruleset: str
    begun: _Time | None
    events: int
    parent: Annotated[UUID | None, Field(description="the encounter that it was forked from")]
    problem: Annotated[str | None, Field(description="why nobody can tell more about it")] = None
    # What stands is not known here: `projections.labels` and `projections.progress` add what follows.
    labels: tuple[str, ...] = ()
    state: Annotated[str | None, Field(description="how far it has got; null: it cannot be read")] = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Page(Sequence[Listed], Documented):
    """Some of the encounters, the newest first."""

    __pydantic_config__ = WHOLE

    encounters: tuple[Listed, ...]
    total: Annotated[int, Field(description="how many encounters there are in all")]
    next: Annotated[UUID | None, Field(description="the next page comes after it; null: this is the last one")]
    archived: Annotated[int, Field(description="how many archived encounters were passed over")] = 0

    def __len__(self) -> int:
        return len(self.encounters)

    @overload
    def __getitem__(self, place: int) -> Listed: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Listed]: ...
    def __getitem__(self, place: int | slice) -> Listed | Sequence[Listed]:
        return self.encounters[place]


def joined(pages: Sequence[Page]) -> Page:
    """Pages that follow each other, as one."""
    entries = tuple(one for page in pages for one in page)
    return Page(entries, pages[-1].total, pages[-1].next, sum(page.archived for page in pages))


_First = EncounterOpened | Forked | Problem
"""The beginning of an encounter, or why it cannot be read."""


def page(recorder: LedgerRecorder, limit: int | None, before: int | None) -> Page:
    """The newest encounters, or the newest that began before a notification; all of them without a limit."""
    found = beginnings.newest(recorder, limit + 1 if limit is not None else None, before)
    shown = found[:limit]
    known = _with_ancestors(recorder, {beginning.encounter: _read(beginning) for beginning in shown})
    more = len(found) > len(shown) and bool(shown)
    listed = tuple(_listed(beginning, known) for beginning in shown)
    return Page(listed, beginnings.count(recorder), shown[-1].encounter if more else None)


def of(recorder: LedgerRecorder, encounters: Collection[UUID]) -> dict[UUID, Listed]:
    """Some encounters by id. Those without a beginning are missing."""
    found = beginnings.of(recorder, encounters)
    known = _with_ancestors(recorder, {beginning.encounter: _read(beginning) for beginning in found})
    return {beginning.encounter: _listed(beginning, known) for beginning in found}


def _read(beginning: Beginning) -> _First:
    try:
        return cast(EncounterOpened | Forked, decode(beginning.name, beginning.state))
    except Problem as problem:
        return problem


def _with_ancestors(recorder: LedgerRecorder, known: dict[UUID, _First]) -> Mapping[UUID, _First]:
    """A fork has the ruleset of the encounter it comes from, which may be on another page."""
    looked_for = set(known)
    while missing := {parent for parent in _parents(known) if parent not in looked_for}:
        looked_for |= missing
        known |= {found.encounter: _read(found) for found in beginnings.of(recorder, missing)}
    return known


def _parents(known: Mapping[UUID, _First]) -> Iterator[UUID]:
    return (first.parent for first in known.values() if isinstance(first, Forked))


def _listed(beginning: Beginning, known: Mapping[UUID, _First]) -> Listed:
    first, encounter, last = known[beginning.encounter], beginning.encounter, beginning.last
    if isinstance(first, Problem):
        return Listed(str(encounter), encounter, "", None, last, None, first.sentence)
    ruleset = _ruleset(first, known)
    if isinstance(first, EncounterOpened):
        return Listed(first.name, encounter, ruleset, first.recorded_at, last, None)
    missing = None if ruleset else f"The encounter it was forked from, {first.parent}, is missing or cannot be read."
    return Listed(first.name, encounter, ruleset, first.recorded_at, last, first.parent, missing)


def _ruleset(first: EncounterOpened | Forked, known: Mapping[UUID, _First]) -> str:
    origin: _First | None = first
    for _ in range(len(known) + 1):  # a ledger that was tampered with may have forks in a circle
        if not isinstance(origin, Forked):
            break
        origin = known.get(origin.parent)
    return origin.ruleset if isinstance(origin, EncounterOpened) else ""
