"""One encounter on its way from stored rows into the read models, whatever somebody may have stored.

Nobody can say what an event means that follows one which cannot be read. So an encounter counts up to its first such
event, and that event and everything after it is set aside: named in a table, and left out of every other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from pydantic_core import from_json

from ledger.errors import Problem
from ledger.events import EncounterOpened, Event
from ledger.recorder import Row as StoredRow
from ledger.registry import decode
from ledger.store import Ledger, Stored
from projections.readmodels.encounter_projection import EncounterProjection, Row
from projections.readmodels.state_changes import Changes, WrittenState

SET_ASIDE = "set_aside"
_DIGITS = bytes(ord("0") if chr(byte).isdecimal() else ord(" ") for byte in range(128)) + b" " * 128
_MANY_DIGITS = b"0" * 19
_MOST = 2**63 - 1


class RowProjection:
    """Takes the rows of an encounter in order, and refuses none."""

    def __init__(self, encounter: UUID, past: Sequence[Stored] = ()) -> None:
        self.encounter = encounter
        self.seq = 0
        """The number of the last row, set aside or not."""
        self._aside: tuple[int, str] | None = None
        self._left_out = 0
        self._known = EncounterProjection()
        self._written: WrittenState | None = None
        """What the tables say about the state, as far as it is known here."""
        if past and not self._begin_at_once(past):
            self._begin_one_by_one(past)

    def _begin_at_once(self, past: Sequence[Stored]) -> bool:
        """The usual case: nothing is wrong with the past, so that it can be folded in one go."""
        try:
            events = [decode(row.name, row.state) for _, row in past]
            known = EncounterProjection(events)
        except Exception:
            return False
        places = zip(events, past, range(1, len(past) + 1), strict=True)
        if any(_misfit(event, origin, row) or row.seq != seq for event, (origin, row), seq in places):
            return False
        self._known, self.seq = known, len(past)
        return True

    def _begin_one_by_one(self, past: Iterable[Stored]) -> None:
        for origin, row in past:
            self._take(origin, row)
        self._known.forget_changes()

    @property
    def is_closed(self) -> bool:
        return self._known.battle.clock.closed

    @property
    def is_state_known(self) -> bool:
        """Whether it is known here what the tables say about the state."""
        return self._written is not None

    def feed(self, row: StoredRow) -> None:
        self._take(self.encounter, row)

    def skip(self, rows: Sequence[StoredRow]) -> None:
        """Take rows that another process has brought in."""
        for row in rows:
            self.feed(row)
        if rows:
            self._known.forget_changes()
            self._written = None

    def _take(self, origin: UUID, row: StoredRow) -> None:
        if self._aside is None and (why := self._trouble(origin, row)) is not None:
            self._aside = row.seq, why
        if self._aside is not None and origin == self.encounter:
            self._left_out += 1
        self.seq = row.seq

    def _trouble(self, origin: UUID, row: StoredRow) -> str | None:
        """Why the event cannot be taken in; None if it was."""
        if row.seq != self.seq + 1:
            return f"event {self.seq + 1}, which comes before it, is missing"
        try:
            event = decode(row.name, row.state)
        except Problem as problem:
            return problem.sentence
        return _misfit(event, origin, row) or self._fold(event)

    def _fold(self, event: Event) -> str | None:
        try:
            self._known.feed(event)
        except Exception as error:  # a fold may fail in any way on events that no rules wrote
            self._known.forget_last()
            return f"it cannot follow the events before it ({type(error).__name__})"
        return None

    def take_facts(self) -> Iterator[Row]:
        return self._known.take_facts()

    def take_changed_marks(self) -> dict[bool, list[int]]:
        return self._known.take_changed_marks()

    def take_restated(self) -> list[int]:
        return self._known.take_restated()

    def take_state_changes(self) -> Changes:
        """What has changed in the state since the last call; all of it is new if nobody has called before."""
        self._written = self._written or WrittenState()
        return self._written.replace(self.state())

    def state(self) -> Iterator[Row]:
        events = self._known.events
        if events and events[-1].encounter == self.encounter:
            yield from self._known.state()
        if self._aside is not None and self._left_out:
            seq, why = self._aside
            yield SET_ASIDE, (self.encounter, seq, self._left_out, why)


def past_of(ledger: Ledger, encounter: UUID, first: int) -> list[Stored]:
    """What comes before an encounter's row; nothing if its beginning cannot be read and so names no past."""
    if first == 1:
        return []
    try:
        return [(origin, row) for origin, row in ledger.history(encounter) if row.seq < first]
    except Problem:
        return [(origin, row) for origin, row in ledger.own_rows(encounter) if row.seq < first]


def _misfit(event: Event, origin: UUID, row: StoredRow) -> str | None:
    """Why an event that can be read does not belong where it is stored, or does not fit into a table."""
    if (event.encounter, event.seq) != (origin, row.seq):
        return "its content belongs to another place in the ledger"
    if event.seq == 1 and not isinstance(event, EncounterOpened):
        return "an encounter begins with its opening"
    if _may_not_fit(row.state) and not all(map(_fits, _values(from_json(row.state)))):
        return "it contains a character or a number that no table can hold"
    return None


def _may_not_fit(state: bytes) -> bool:
    return rb"\u0000" in state or _MANY_DIGITS in state.translate(_DIGITS)


def _fits(value: Any) -> bool:
    return "\0" not in value if isinstance(value, str) else not isinstance(value, int) or abs(value) <= _MOST


def _values(data: Any) -> Iterator[Any]:
    waiting = [data]
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
