"""The audit trail: who corrected what, when, why, and what it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ledger.events import Declared, Event, Redone
from projections.battle import Battle
from projections.course import Course
from projections.difference import Difference, Picture, compare, picture
from projections.timeline import Correction, is_correction
from projections.views import Onlooker, Seat


@dataclass(frozen=True, slots=True)
class Audited:
    """A correction, the declarations it put in place, and what it changed in the state."""

    correction: Correction
    retracted: tuple[int, ...]
    put_in_place: tuple[int, ...]
    taken_back_by: int | None
    changes: list[Difference]


def audit(events: Sequence[Event]) -> list[Audited]:
    """Every correction. The fight is followed once, with a picture before each correction and one when it is done."""
    corrections = [event for event in events if isinstance(event, Correction)]
    placed = _placed(events)
    done = _ends(events, corrections, placed)
    before: dict[int, Picture] = {}
    changes: dict[int, list[Difference]] = {}
    course = Course()
    for event in events:
        if is_correction(event):
            before[event.seq] = picture(course.battle)
        course.feed(event)
        for correction in done.get(event.seq, ()):
            changes[correction] = compare(before.pop(correction), picture(course.battle))
    return _audited(corrections, placed, lambda seq: changes[seq])


def audit_seen(events: Sequence[Event], seat: Seat) -> list[Audited]:
    """The same from a seat: the corrections that are seen, with its numbers, and what they changed to be seen."""
    corrections = [event for event in events if isinstance(event, Correction)]
    done = _ends(events, corrections, _placed(events))
    before: dict[int, Picture] = {}
    changes: dict[int, list[Difference]] = {}
    onlooker = Onlooker(seat)
    for event in events:
        if is_correction(event):
            before[event.seq] = picture(onlooker.battle)
        onlooker.see(event)
        for correction in done.get(event.seq, ()):
            changes[correction] = compare(before.pop(correction), picture(onlooker.battle))
    seen = [event for event in onlooker.seen if isinstance(event, Correction)]
    return _audited(seen, _placed(onlooker.seen), lambda seq: changes[onlooker.recorded(seq)])


def audit_told(seen: Sequence[Event], state: Callable[[int], Battle]) -> list[Audited]:
    """The same from the events that a seat was told of, and the state as it saw it after any of them."""
    corrections = [event for event in seen if isinstance(event, Correction)]
    placed = _placed(seen)
    ends = {number: end for end, numbers in _ends(seen, corrections, placed).items() for number in numbers}
    return _audited(corrections, placed, lambda seq: compare(picture(state(seq - 1)), picture(state(ends[seq]))))


def _audited(
    corrections: Sequence[Correction], placed: dict[int, list[int]], changes: Callable[[int], list[Difference]]
) -> list[Audited]:
    """With what each of them changed, by its number."""
    taken_back = {event.undone: event.seq for event in corrections if isinstance(event, Redone)}
    return [
        Audited(
            correction=event,
            retracted=() if isinstance(event, Redone) else event.retracts,
            put_in_place=tuple(placed.get(event.seq, ())),
            taken_back_by=taken_back.get(event.seq),
            changes=changes(event.seq),
        )
        for event in corrections
    ]


def _placed(events: Sequence[Event]) -> dict[int, list[int]]:
    """The declarations that each correction put in place of others."""
    placed: dict[int, list[int]] = {}
    for event in events:
        if isinstance(event, Declared) and event.cause is not None and event.cause < event.seq:
            placed.setdefault(event.cause, []).append(event.seq)
    return placed


def _ends(events: Sequence[Event], corrections: Sequence[Event], placed: dict[int, list[int]]) -> dict[int, list[int]]:
    """The corrections by the last event of what they put in place, which is when they are done."""
    last = {event.declaration: event.seq for event in events}
    ends: dict[int, list[int]] = {}
    for correction in corrections:
        own = (correction.seq, *placed.get(correction.seq, ()))
        end = max(last.get(declaration, declaration) for declaration in own)
        ends.setdefault(end, []).append(correction.seq)
    return ends
