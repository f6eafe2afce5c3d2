"""The labels that encounters have after corrections, and pages of encounters without those that are archived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from ledger import listing
from ledger.events import EncounterLabelled, Event
from ledger.labels import ARCHIVED, deciding_events
from ledger.listing import Listed, Page
from ledger.store import Ledger
from projections.timeline import timeline_of


def page(ledger: Ledger, limit: int | None, after: str | None, *, archived: bool = False) -> Page:
    """The newest encounters with their labels. Archived ones are passed over unless they are asked for."""
    shown: list[Listed] = []
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


def of(ledger: Ledger, encounter: UUID) -> Page:
    """A page with one encounter, be it archived or not."""
    found = listing.of(ledger.recorder, [encounter])
    return _labelled(ledger, Page(tuple(found.values()), len(found), None))


def _labelled(ledger: Ledger, part: Page) -> Page:
    deciding = deciding_events(ledger.recorder, [entry.encounter for entry in part])
    entries = (replace(entry, labels=labels_after(deciding.get(entry.encounter, ()))) for entry in part)
    return replace(part, encounters=tuple(entries))


def labels_after(deciding: Sequence[Event]) -> tuple[str, ...]:
    """The labels that stand, from the events of an encounter that decide it."""
    timeline = timeline_of(deciding)
    standing = (
        event for event in deciding if isinstance(event, EncounterLabelled) and event.declaration not in timeline.fallen
    )
    last = max(standing, key=lambda event: timeline.order.of(event.seq), default=None)
    return last.labels if last is not None else ()
