"""One encounter on its way into the read models: its events so far, its state, and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ledger.events import Amended, Event, Redone, Undone
from projections.battle import Battle, fold
from projections.readmodels.facts import Fact, Moment, facts_of
from projections.readmodels.state_rows import current_rows
from projections.timeline import retracted, taken_back

Row = tuple[str, tuple[Any, ...]]
"""A table and the values of a whole row."""

_CORRECTIONS = {Undone, Redone, Amended}


class EncounterProjection:
    """Takes the events of an encounter in order. A fork begins with the past that it shares."""

    def __init__(self, past: Sequence[Event] = ()) -> None:
        self.events: list[Event] = list(past)
        self.battle = fold(self.events) if past else Battle()
        self._fallen = retracted(self.events)
        self._marked = self._fallen | taken_back(self.events)
        self._written = set(self._marked)
        self._facts: list[tuple[Event, Fact]] = []

    @property
    def seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    def feed(self, event: Event) -> None:
        self.events.append(event)
        if type(event) in _CORRECTIONS:
            self._correct()
        elif event.declaration not in self._fallen:
            self.battle.apply(event)
        moment = Moment(self.events, self._fallen, self.battle)
        self._facts.extend((event, fact) for fact in facts_of(event, moment))

    def _correct(self) -> None:
        self.battle = fold(self.events)
        self._fallen = retracted(self.events)
        self._marked = self._fallen | taken_back(self.events)

    def forget_last(self) -> None:
        """Go back to before the last event, which may have been applied in part."""
        seq = self.events.pop().seq
        self._facts = [(event, fact) for event, fact in self._facts if event.seq != seq]
        self._correct()

    def forget_changes(self) -> None:
        """What was fed so far is written already."""
        self._facts = []
        self._written = set(self._marked)

    def take_facts(self) -> Iterator[Row]:
        """The rows that are new since the last call."""
        facts, self._facts = self._facts, []
        for event, (table, values) in facts:
            undone = event.declaration in self._marked
            envelope = (event.encounter, event.seq, event.declaration, event.round, event.turn, undone)
            yield table, envelope + values

    def take_changed_marks(self) -> dict[bool, list[int]]:
        """Declarations whose earlier rows have to be marked as undone (True) or unmarked (False)."""
        before, self._written = self._written, set(self._marked)
        return {True: sorted(self._marked - before), False: sorted(before - self._marked)}

    def state(self) -> Iterator[Row]:
        return current_rows(self.battle, self.events)
