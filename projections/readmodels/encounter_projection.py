"""One encounter on its way into the read models: its events so far, its state, its rows, and which of them changed.

Most events change only one or two of the many rows of a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from ledger.events import Event, Until
from ledger.store.encounters import ARCHIVED, PRACTICE
from projections.battle.combatant import Combatant
from projections.battle.event_history import EventHistory, action_of
from projections.battle.fold import Battle
from projections.readmodels.catalogue import STATES
from projections.readmodels.facts import OF_THE_STATE, Fact, FactMoment, facts_of, spent_before
from projections.readmodels.tables import TableSchema

StateRow = tuple[str, tuple[Any, ...]]
"""A table and the values of a row."""


def current_rows(battle: Battle, events: Sequence[Event]) -> Iterator[StateRow]:
    yield "encounters", _encounter(battle, events)
    for combatant in battle.combatants.values():
        for table, values in _combatant(combatant):
            yield table, (battle.id, *values)


def _encounter(battle: Battle, events: Sequence[Event]) -> tuple[Any, ...]:
    opened, fork, clock = battle.encounter, battle.fork, battle.clock
    campaign = opened.options.get("campaign")
    waiting = battle.window.waiting if battle.window else None
    rules = (opened.ruleset, opened.ruleset_version, opened.dice, None if campaign is None else str(campaign))
    origin = (fork.parent, fork.at) if fork else (None, None)
    labels = (list(battle.labels), PRACTICE in battle.labels, ARCHIVED in battle.labels)
    times = ((fork or opened).recorded_at, events[-1].recorded_at)
    size = (events[-1].seq, events[-1].seq - (fork.at if fork else 0))
    now = (clock.round, clock.turn, clock.closed, waiting.reactor if waiting else None)
    return (battle.id, battle.name, *rules, *origin, *labels, *times, *size, *now)


def _combatant(combatant: Combatant) -> Iterator[StateRow]:
    character = " ".join(combatant.name.split()).casefold()
    about = (combatant.name, character, combatant.side, combatant.controller.value, combatant.present)
    yield "combatants", (combatant.id, *about)
    for pool, vital in combatant.vitals.items():
        yield "vitals", (combatant.id, pool, vital.current, vital.maximum)
    for name, resource in combatant.economy.items():
        amounts = (resource.current, resource.maximum, resource.spent, resource.locked)
        yield "action_economy", (combatant.id, name, *amounts)
    if combatant.position is not None:
        yield "positions", (combatant.id, *combatant.position)
    for held in combatant.conditions.values():
        origin = (held.source, held.owner, held.since, held.level)
        yield "conditions", (combatant.id, held.ref, *origin, _moment(held.until))


def _moment(until: Until | None) -> str | None:
    if until is None:
        return None
    parts = (until.moment.value, until.whose, f"round {until.round}" if until.round is not None else None)
    return " ".join(part for part in parts if part)


WrittenRow = tuple[str, tuple[Any, ...]]
"""A table and the values of a whole row."""
RowKey = tuple[Any, ...]


def _key_of(table: TableSchema) -> Callable[[tuple[Any, ...]], RowKey]:
    places = [table.column_names.index(name) for name in table.key]
    only = places[0]
    return itemgetter(*places) if len(places) > 1 else lambda values: (values[only],)


_KEYS = {table.name: _key_of(table) for table in STATES}


class StateChanges(NamedTuple):
    gone: list[tuple[str, RowKey]]
    """Rows that are gone or have changed, by key."""
    new: list[WrittenRow]


class WrittenState:
    """The rows that a table holds for an encounter."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, RowKey], tuple[Any, ...]] = {}

    def replace(self, rows: Iterable[WrittenRow]) -> StateChanges:
        """What has to be deleted and written so that the tables have these rows instead."""
        before, self._rows = self._rows, {(table, _KEYS[table](values)): values for table, values in rows}
        gone = [place for place, values in before.items() if self._rows.get(place) != values]
        new = [(place[0], values) for place, values in self._rows.items() if before.get(place) != values]
        return StateChanges(gone, new)


FactRow = tuple[str, tuple[Any, ...]]
"""A table and the values of a whole row."""


class FollowedHistory(EventHistory):
    """Recomputes the rows of events that are themselves unchanged although a correction has changed something before
    them."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.restated: dict[int, list[tuple[Event, Fact]]] = {}
        super().__init__(events)

    def follow(self, event: Event) -> Iterator[Fact]:
        """Take in the next event and compute its rows. Take them before following the event after it."""
        spent = spent_before(event, self.battle)
        self.feed(event)
        return facts_of(event, FactMoment(self.events, self, spent))

    def recount(self, waiting: list[Event]) -> None:
        event = waiting[-1]
        super().recount(waiting)
        if type(event) in OF_THE_STATE:
            facts = facts_of(event, FactMoment(self.events, self))
            self.restated[event.seq] = [(event, fact) for fact in facts]


class EncounterProjection:
    """Takes the events of an encounter in order. A fork begins with the past that it shares."""

    def __init__(self, past: Sequence[Event] = ()) -> None:
        self._course = FollowedHistory(past)
        self._written: set[int] = set()
        """The declarations that are marked as undone in the tables."""
        self.take_changed_marks()
        self._facts: dict[int, list[tuple[Event, Fact]]] = {}
        """The rows not yet written, by the event that they come from."""
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
        """Replace rows, except those of a fork's shared past, which belong to its parent."""
        restated = {seq: facts for seq, facts in self._course.restated.items() if self._is_own(seq)}
        self._course.restated.clear()
        self._facts |= restated
        self._restated |= restated.keys()

    def _is_own(self, seq: int) -> bool:
        return self.events[seq - 1].encounter == self.events[-1].encounter

    def forget_last(self) -> None:
        """Go back to before the last event, which may have been applied only in part."""
        self._facts.pop(self.events.pop().seq, None)
        self._course = FollowedHistory(self.events)

    def forget_changes(self) -> None:
        """Forget pending changes: everything fed so far has been written."""
        self._facts = {}
        self._restated = set()
        self.take_changed_marks()

    def take_facts(self) -> Iterator[FactRow]:
        """The rows that are new since the last call."""
        facts, self._facts = self._facts, {}
        for event, (table, values) in chain.from_iterable(facts.values()):
            undone = self._is_marked(event.declaration)
            envelope = (event.encounter, event.seq, event.declaration, event.round, event.turn, undone)
            yield table, (*envelope, action_of(event, self.events), *values)

    def take_restated(self) -> list[int]:
        """Events whose earlier rows must be deleted, because new ones are among the facts."""
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

    def state(self) -> Iterator[FactRow]:
        return current_rows(self.battle, self.events)
