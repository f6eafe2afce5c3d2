"""One encounter on its way into the read models: its events so far, its state, and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ledger.events import Event
from projections.battle import Battle
from projections.course import Course
from projections.readmodels.facts import Fact, Moment, facts_of
from projections.readmodels.state_rows import current_rows

Row = tuple[str, tuple[Any, ...]]
"""A table and the values of a whole row."""


class EncounterProjection:
    """Takes the events of an encounter in order. A fork begins with the past that it shares."""

    def __init__(self, past: Sequence[Event] = ()) -> None:
        self.events: list[Event] = list(past)
        self._course = Course(past)
        self._written: set[int] = set()
        """What is marked as undone in the tables."""
        self.take_changed_marks()
        self._facts: list[tuple[Event, Fact]] = []

    @property
    def seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    @property
    def battle(self) -> Battle:
        return self._course.battle

    def feed(self, event: Event) -> None:
        self.events.append(event)
        self._course.feed(event)
        moment = Moment(self.events, self._course)
        self._facts.extend((event, fact) for fact in facts_of(event, moment))

    def forget_last(self) -> None:
        """Go back to before the last event, which may have been applied in part."""
        seq = self.events.pop().seq
        self._facts = [(event, fact) for event, fact in self._facts if event.seq != seq]
        self._course = Course(self.events)

    def forget_changes(self) -> None:
        """What was fed so far is written already."""
        self._facts = []
        self.take_changed_marks()

    def take_facts(self) -> Iterator[Row]:
        """The rows that are new since the last call."""
        facts, self._facts = self._facts, []
        for event, (table, values) in facts:
            undone = self._is_marked(event.declaration)
            envelope = (event.encounter, event.seq, event.declaration, event.round, event.turn, undone)
            yield table, envelope + values

    def take_changed_marks(self) -> dict[bool, list[int]]:
        """Declarations whose earlier rows have to be marked as undone (True) or unmarked (False)."""
        touched = self._course.timeline.take_touched()
        marked = {declaration for declaration in touched if self._is_marked(declaration)}
        changed = {True: sorted(marked - self._written), False: sorted((touched - marked) & self._written)}
        self._written -= touched
        self._written |= marked
        return changed

    def _is_marked(self, declaration: int) -> bool:
        timeline = self._course.timeline
        return declaration in timeline.fallen or declaration in timeline.taken_back

    def state(self) -> Iterator[Row]:
        return current_rows(self.battle, self.events)
