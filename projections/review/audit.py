"""The audit trail: who corrected what, when, why, and what it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from pydantic import Field
from typing_extensions import TypedDict

from ledger.events import Declared, Event, Redone
from ledger.json_shapes import EventData, JsonShape
from projections.battle.event_history import EventHistory
from projections.battle.timeline import Correction, is_correction
from projections.review.difference import Difference, DifferenceData, StatePicture, compare_pictures, state_picture
from projections.views import Seat, SeatView
from projections.views.received_events import events_of


class CorrectionData(TypedDict):
    correction: EventData
    put_in_place: Annotated[list[int], Field(description="seqs of the declarations that it recorded")]
    taken_back_by: Annotated[int | None, Field(description="seq of the correction that took it back")]
    changes: list[DifferenceData]


@dataclass(frozen=True, slots=True)
class Audited(JsonShape):
    """A correction, the declarations it recorded, and what it changed in the state."""

    document: ClassVar = CorrectionData

    correction: Correction
    put_in_place: tuple[int, ...]
    taken_back_by: int | None
    changes: list[Difference]

    @property
    def retracted(self) -> tuple[int, ...]:
        return () if isinstance(self.correction, Redone) else self.correction.retracts

    def to_json(self) -> CorrectionData:
        return {
            "correction": self.correction.to_json(),
            "put_in_place": list(self.put_in_place),
            "taken_back_by": self.taken_back_by,
            "changes": [change.to_json() for change in self.changes],
        }

    @classmethod
    def from_json(cls, data: CorrectionData) -> Self:
        (correction,) = events_of([data["correction"]])
        assert isinstance(correction, Correction)
        changes = [Difference.from_json(one) for one in data["changes"]]
        return cls(correction, tuple(data["put_in_place"]), data["taken_back_by"], changes)


def audit(events: Sequence[Event]) -> list[Audited]:
    """Every correction. The fight is folded once, with a picture before and after each correction."""
    corrections = [event for event in events if isinstance(event, Correction)]
    placed = _placed(events)
    done = _ends(events, corrections, placed)
    before: dict[int, StatePicture] = {}
    changes: dict[int, list[Difference]] = {}
    course = EventHistory()
    for event in events:
        if is_correction(event):
            before[event.seq] = state_picture(course.battle)
        course.feed(event)
        for correction in done.get(event.seq, ()):
            changes[correction] = compare_pictures(before.pop(correction), state_picture(course.battle))
    return _audited(corrections, placed, lambda seq: changes[seq])


def audit_seen(events: Sequence[Event], seat: Seat) -> list[Audited]:
    """The same from a seat: the corrections it sees, with its own numbers, and the changes it can see."""
    corrections = [event for event in events if isinstance(event, Correction)]
    done = _ends(events, corrections, _placed(events))
    before: dict[int, StatePicture] = {}
    changes: dict[int, list[Difference]] = {}
    onlooker = SeatView(seat)
    for event in events:
        if is_correction(event):
            before[event.seq] = state_picture(onlooker.battle)
        onlooker.see(event)
        for correction in done.get(event.seq, ()):
            changes[correction] = compare_pictures(before.pop(correction), state_picture(onlooker.battle))
    seen = [event for event in onlooker.seen if isinstance(event, Correction)]
    return _audited(seen, _placed(onlooker.seen), lambda seq: changes[onlooker.recorded(seq)])


def _audited(
    corrections: Sequence[Correction], placed: dict[int, list[int]], changes: Callable[[int], list[Difference]]
) -> list[Audited]:
    """The corrections, each with what it changed, which is looked up by its number."""
    taken_back = {event.undone: event.seq for event in corrections if isinstance(event, Redone)}
    return [
        Audited(
            correction=event,
            put_in_place=tuple(placed.get(event.seq, ())),
            taken_back_by=taken_back.get(event.seq),
            changes=changes(event.seq),
        )
        for event in corrections
    ]


def _placed(events: Sequence[Event]) -> dict[int, list[int]]:
    """The declarations that each correction recorded in place of others."""
    placed: dict[int, list[int]] = {}
    for event in events:
        if isinstance(event, Declared) and event.cause is not None and event.cause < event.seq:
            placed.setdefault(event.cause, []).append(event.seq)
    return placed


def _ends(events: Sequence[Event], corrections: Sequence[Event], placed: dict[int, list[int]]) -> dict[int, list[int]]:
    """The corrections by the last event of the declarations they recorded, which is when they are complete."""
    last = {event.declaration: event.seq for event in events}
    ends: dict[int, list[int]] = {}
    for correction in corrections:
        own = (correction.seq, *placed.get(correction.seq, ()))
        end = max(last.get(declaration, declaration) for declaration in own)
        ends.setdefault(end, []).append(correction.seq)
    return ends
