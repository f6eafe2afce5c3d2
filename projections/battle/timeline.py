"""Which events stand after corrections, their order in the fight, and which event replaced one that was retracted.

Nothing is ever deleted, so a fold first has to find out what still counts. The order follows the event numbers, except
for events that a correction places earlier.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, cast

from pydantic import WithJsonSchema

from ledger.events import Amended, Declared, Event, Inserted, Redone, Run, Undone

OrderKey = tuple[int, ...]
"""The sort key of events. It begins with a number; a run placed after an event extends that event's key."""

DEEPEST = 40
"""How deeply runs may be nested. A correction beyond that records everything again."""


class EventOrder:
    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._runs: list[tuple[Run, OrderKey]] = []

    @property
    def is_by_number(self) -> bool:
        return not self._runs

    def add(self, runs: Iterable[Run], correction: int) -> None:
        """Take in the places of a correction. Corrections never write overlapping runs, so overlaps mean tampering."""
        before = max(correction, self._runs[-1][0].last if self._runs else 0)
        for run in runs:
            place = self.of(run.after)
            if not before < run.first <= run.last or run.after > correction or len(place) > 2 * DEEPEST:
                raise ValueError(f"events {run.first} to {run.last} cannot be placed after event {run.after}")
            self._firsts.append(run.first)
            # Of two runs after one event, the later one comes first: it was placed right after that event.
            self._runs.append((run, (*place, -run.first)))
            before = run.last

    def of(self, seq: int) -> OrderKey:
        at = bisect_right(self._firsts, seq) - 1
        if at >= 0 and seq <= self._runs[at][0].last:
            return (*self._runs[at][1], seq)
        return (seq,)

    def is_placed(self, seq: int) -> bool:
        return len(self.of(seq)) > 1

    def takes_more(self, seq: int) -> bool:
        """Whether something can be placed after this event."""
        return len(self.of(seq)) <= 2 * DEEPEST


Correction = Undone | Amended | Inserted | Redone
_CORRECTIONS = {Undone, Amended, Inserted, Redone}


def is_correction(event: Event) -> bool:
    return type(event) in _CORRECTIONS


def has_corrections(events: Iterable[Event]) -> bool:
    return any(map(is_correction, events))


class Timeline:
    """What stands after each event, kept up to date. A correction costs only what it changes, however long the fight
    is.

    A declaration is out while any correction that stands retracts it. A declaration that a correction recorded names
    the correction as its cause, and is out when that correction is taken back.
    """

    def __init__(self) -> None:
        self.fallen: set[int] = set()
        """Seqs of the declarations that do not stand."""
        self.taken_back: set[int] = set()
        """Seqs of the corrections that a later one took back."""
        self.order = EventOrder()
        self._touched: set[int] = set()
        self._corrections: dict[int, Correction] = {}
        self._reasons: dict[int, list[int]] = {}
        """Why a declaration is out: the corrections that retract it, and the one that recorded it if that was taken
        back."""
        self._takers: dict[int, list[int]] = {}
        """The redos in force, by the correction that they take back."""
        self._placed: dict[int, list[int]] = {}

    def add(self, event: Event) -> set[int]:
        """Take in the next event. Returns the declarations that it retracted or restored."""
        # By type, not isinstance: this looks at every event of every fold, and pydantic's check is slow.
        kind = type(event)
        if kind is Declared:
            return self._declare(event)
        if kind not in _CORRECTIONS:
            return _NOTHING
        correction = cast(Correction, event)
        if not isinstance(correction, Redone):
            self.order.add(correction.places, correction.seq)
        self._corrections[correction.seq] = correction
        return self._switch(correction)

    def take_touched(self) -> set[int]:
        """The declarations and corrections that were retracted or restored since the last call."""
        touched, self._touched = self._touched, set()
        return touched

    def taken_back_by(self, seq: int) -> int | None:
        """The correction that took back a declaration or correction, if it does not stand.

        If several did, the first one that is still in force.
        """
        if seq in self.taken_back:
            return self._takers[seq][0]
        reason = next(iter(self._reasons.get(seq, ())), None)
        if reason is None or reason > seq:
            return reason
        # A correction retracts earlier declarations; its own declarations are out when it is taken back.
        return next(iter(self._takers.get(reason, ())), reason)

    def _declare(self, declared: Event) -> set[int]:
        if declared.cause is None:
            if self.order.is_placed(declared.seq):
                raise ValueError("a correction places only what it records itself")
            return _NOTHING
        self._placed.setdefault(declared.cause, []).append(declared.seq)
        changed: set[int] = set()
        if declared.cause in self.taken_back:
            self._count([declared.seq], declared.cause, 1, changed)
        return changed

    def _switch(self, correction: Correction) -> set[int]:
        """Put a new correction into force. If it takes back another one, that one is no longer in force, and so on."""
        changed: set[int] = set()
        following: tuple[Correction, int] | None = (correction, 1)
        while following is not None:
            current, step = following
            following = None
            if not isinstance(current, Redone):
                self._count(current.retracts, current.seq, step, changed)
            elif current.undone < current.seq and self._take_back(current, step, changed):
                target = self._corrections.get(current.undone)
                following = (target, -step) if target is not None else None
        return changed

    def _take_back(self, redone: Redone, step: int, changed: set[int]) -> bool:
        """Count one correction more or less against a correction. Returns whether that made a difference."""
        correction = redone.undone
        if not _is_decisive(self._takers, correction, redone.seq, step):
            return False
        self.taken_back ^= {correction}
        self._touched.add(correction)
        self._count(self._placed.get(correction, ()), correction, step, changed)
        return True

    def _count(self, declarations: Iterable[int], reason: int, step: int, changed: set[int]) -> None:
        for declaration in declarations:
            if _is_decisive(self._reasons, declaration, reason, step):
                self.fallen ^= {declaration}
                self._touched.add(declaration)
                changed ^= {declaration}


_NOTHING: set[int] = set()


def _is_decisive(reasons: dict[int, list[int]], key: int, reason: int, step: int) -> bool:
    """Add or remove a reason. Returns whether it was the first one added or the last one removed."""
    known = reasons.setdefault(key, [])
    if step == 1:
        known.append(reason)
    else:
        known.remove(reason)
    return len(known) == (1 if step == 1 else 0)


def taken_back(events: Sequence[Event]) -> Mapping[int, int]:
    """The declarations and corrections that no longer stand, each with the correction that took it back."""
    if not has_corrections(events):
        return {}
    timeline = timeline_of(events)
    found = ((seq, timeline.taken_back_by(seq)) for seq in (*timeline.fallen, *timeline.taken_back))
    return {seq: by for seq, by in found if by is not None}


def retracted(events: Sequence[Event]) -> set[int]:
    """Seqs of the declarations that no longer stand."""
    return timeline_of(events).fallen if has_corrections(events) else set()


def timeline_of(events: Iterable[Event]) -> Timeline:
    timeline = Timeline()
    for event in events:
        timeline.add(event)
    return timeline


def standing(events: Sequence[Event]) -> Sequence[Event]:
    """The events that count, in the order of the fight."""
    if not has_corrections(events):
        return events
    timeline = timeline_of(events)
    counting = [event for event in events if event.declaration not in timeline.fallen]
    return counting if timeline.order.is_by_number else _in_order(counting, timeline.order, events[-1].seq)


def in_order(events: Sequence[Event]) -> Sequence[Event]:
    """All events in the order of the fight, each next to those that were taken back."""
    order = timeline_of(events).order
    return events if order.is_by_number else sorted(events, key=lambda event: order.of(event.seq))


def _in_order(events: Iterable[Event], order: EventOrder, last: int) -> list[Event]:
    """In the middle of a correction, only what comes before the events that it has yet to record."""
    found = sorted(events, key=lambda event: order.of(event.seq))
    if not order.is_placed(last + 1):
        return found
    return found[: bisect_left(found, order.of(last + 1), key=lambda event: order.of(event.seq))]


LoggedEvent = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "allOf": [
                {"$document": "event"},
                {
                    "type": "object",
                    "properties": {
                        "taken_back_by": {
                            "description": "seq of the correction that took it back; absent if it stands",
                            "type": "integer",
                        }
                    },
                },
            ]
        }
    ),
]


def logged(events: Iterable[Event], gone: Mapping[int, int]) -> list[LoggedEvent]:
    """Events as the log shows them. Those that do not stand say which correction took them back."""
    return [
        event.to_json() | ({"taken_back_by": by} if (by := gone.get(event.declaration)) is not None else {})
        for event in events
    ]


UPHOLD = "core:ruling:uphold"


def successor(events: Sequence[Event], fallen: Collection[int], seq: int) -> int | None:
    """The event that replaced one that was taken back; None if it was not recorded again.

    `events` is the whole fight, and `fallen` are its declarations that do not stand. For an event that did not happen
    again, the result is the declaration.
    """
    asked = events[seq - 1]
    declared = _stands_for(events, fallen, events[asked.declaration - 1])
    if declared is None:
        return None
    place = _of_kind(events, asked.declaration, asked.kind).index(seq)
    now = _of_kind(events, declared.seq, asked.kind)
    return now[place] if place < len(now) else declared.seq


def _stands_for(events: Iterable[Event], fallen: Collection[int], old: Event) -> Declared | None:
    """A declaration that is recorded again keeps its command; one that is kept as a ruling is named by the ruling."""
    if not isinstance(old, Declared):
        return None
    declared = [event for event in events if isinstance(event, Declared)]
    versions = {event.seq for event in declared if event.command == old.command}
    found = (event for event in declared if event.seq in versions or _upholds(event) in versions)
    return next((event for event in found if event.seq not in fallen), None)


def _upholds(declared: Declared) -> object:
    return declared.options.get("upholds") if declared.action == UPHOLD else None


def _of_kind(events: Iterable[Event], declaration: int, kind: str) -> list[int]:
    return [event.seq for event in events if event.declaration == declaration and event.kind == kind]
