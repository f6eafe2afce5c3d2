"""One encounter on its way into the read models: its events so far, its state, and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from ledger.events import Event
from projections.battle import Battle
from projections.course import Course
from projections.origins import action_of
from projections.readmodels.facts import OF_THE_STATE, Fact, Moment, facts_of, spent_before
from projections.readmodels.state_rows import current_rows

Row = tuple[str, tuple[Any, ...]]
"""A table and the values of a whole row."""


class FollowedCourse(Course):
    """Makes the rows anew of events that stay as they are although a correction has changed something before them."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.restated: dict[int, list[tuple[Event, Fact]]] = {}
        super().__init__(events)

    def follow(self, event: Event) -> Iterator[Fact]:
        """Take in the next event, and make its rows. They have to be taken before the event after it."""
        spent = spent_before(event, self.battle)
        self.feed(event)
        return facts_of(event, Moment(self.events, self, spent))

    def recount(self, waiting: list[Event]) -> None:
        event = waiting[-1]
        super().recount(waiting)
        if type(event) in OF_THE_STATE:
            facts = facts_of(event, Moment(self.events, self))
            self.restated[event.seq] = [(event, fact) for fact in facts]


class EncounterProjection:
    """Takes the events of an encounter in order. A fork begins with the past that it shares."""

    def __init__(self, past: Sequence[Event] = ()) -> None:
        self._course = FollowedCourse(past)
        self._written: set[int] = set()
        """What is marked as undone in the tables."""
        self.take_changed_marks()
        self._facts: dict[int, list[tuple[Event, Fact]]] = {}
        """The rows that are not written yet, by the event that they are made from."""
        self._restated: set[int] = set()
        self._course.restated.clear()

    @property
    def events(self) -> list[Event]:
        return self._course.events

    @property
    def seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    @property
    def battle(self) -> Battle:
        return self._course.battle

    def feed(self, event: Event) -> None:
        self._facts[event.seq] = [(event, fact) for fact in self._course.follow(event)]
        if self._course.restated:
            self._restate()

    def _restate(self) -> None:
        """Replace rows. Those of the past that a fork shares are its parent's."""
        restated = {seq: facts for seq, facts in self._course.restated.items() if self._is_own(seq)}
        self._course.restated.clear()
        self._facts |= restated
        self._restated |= restated.keys()

    def _is_own(self, seq: int) -> bool:
        return self.events[seq - 1].encounter == self.events[-1].encounter

    def forget_last(self) -> None:
        """Go back to before the last event, which may have been applied in part."""
        self._facts.pop(self.events.pop().seq, None)
        self._course = FollowedCourse(self.events)

    def forget_changes(self) -> None:
        """What was fed so far is written already."""
        self._facts = {}
        self._restated = set()
        self.take_changed_marks()

    def take_facts(self) -> Iterator[Row]:
        """The rows that are new since the last call."""
        facts, self._facts = self._facts, {}
        for event, (table, values) in chain.from_iterable(facts.values()):
            undone = self._is_marked(event.declaration)
            envelope = (event.encounter, event.seq, event.declaration, event.round, event.turn, undone)
            yield table, (*envelope, action_of(event, self.events), *values)

    def take_restated(self) -> list[int]:
        """Events whose earlier rows have to go, because new ones are among the facts."""
        restated, self._restated = sorted(self._restated), set()
        return restated

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
