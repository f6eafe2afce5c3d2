"""What stands after corrections. Nothing is ever deleted, so a fold first has to find out what still counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import cast

from ledger.events import Amended, Declared, Event, Redone, Undone

Correction = Undone | Amended | Redone
_CORRECTIONS = {Undone, Amended, Redone}


def has_corrections(events: Iterable[Event]) -> bool:
    return any(type(event) in _CORRECTIONS for event in events)


def retracted(events: Sequence[Event]) -> set[int]:
    """Seqs of the declarations that no longer stand.

    Corrections are read backwards, because a later one can take back an earlier one. A declaration that a correction
    put in place of another names it as its cause, and falls with it.
    """
    fallen: set[int] = set()
    taken_back: set[int] = set()
    # By type, not isinstance: this looks at every event of every fold, and pydantic's check is slow.
    corrections = [cast(Correction, event) for event in events if type(event) in _CORRECTIONS]
    for correction in reversed(corrections):
        if correction.seq in taken_back:
            continue
        if isinstance(correction, Redone):
            taken_back.add(correction.undone)
            fallen.update(_put_in_place(events, correction.undone))
        else:
            fallen.update(correction.retracts)
    return fallen


def taken_back(events: Sequence[Event]) -> set[int]:
    """Seqs of the corrections that a later one took back."""
    found: set[int] = set()
    for event in reversed(events):
        if type(event) is Redone and event.seq not in found:
            found.add(event.undone)
    return found


def standing(events: Sequence[Event]) -> Sequence[Event]:
    """The events that count, in order."""
    fallen = retracted(events)
    return [event for event in events if event.declaration not in fallen] if fallen else events


def select(
    events: Sequence[Event], *, first: int = 1, actor: str | None = None, kinds: Collection[str] = ()
) -> list[Event]:
    """The events from `first` on; only those of declarations by `actor`, and of these kinds, if given."""
    of_actor = {event.seq for event in events if isinstance(event, Declared) and event.actor == actor}
    return [
        event
        for event in events
        if event.seq >= first
        and (actor is None or event.declaration in of_actor)
        and (not kinds or event.kind in kinds)
    ]


def _put_in_place(events: Sequence[Event], correction: int) -> list[int]:
    return [event.seq for event in events if isinstance(event, Declared) and event.cause == correction]
