"""The audit trail: who corrected what, when, why, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.events import Amended, Declared, Event, Redone, Undone
from projections.battle import fold
from projections.difference import Difference, differences


@dataclass(frozen=True, slots=True)
class Audited:
    """A correction, the declarations it put in place, and what it changed in the state."""

    correction: Undone | Amended | Redone
    retracted: tuple[int, ...]
    put_in_place: tuple[int, ...]
    taken_back_by: int | None
    changes: list[Difference]


def audit(events: Sequence[Event]) -> list[Audited]:
    taken_back = {event.undone: event.seq for event in events if isinstance(event, Redone)}
    return [
        _audited(events, index, taken_back)
        for index, event in enumerate(events)
        if isinstance(event, Undone | Amended | Redone)
    ]


def _audited(events: Sequence[Event], index: int, taken_back: dict[int, int]) -> Audited:
    correction = events[index]
    assert isinstance(correction, Undone | Amended | Redone)
    placed = [event for event in events[index:] if isinstance(event, Declared) and event.cause == correction.seq]
    groups = {event.seq for event in placed} | {correction.seq}
    end = max(event.seq for event in events if event.declaration in groups)
    return Audited(
        correction=correction,
        retracted=() if isinstance(correction, Redone) else correction.retracts,
        put_in_place=tuple(event.seq for event in placed),
        taken_back_by=taken_back.get(correction.seq),
        changes=differences(fold(events[:index]), fold(events[:end])),
    )
