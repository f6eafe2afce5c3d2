"""From an event to its rows. The table at the end says which kind becomes a row of which table.

Kinds that are not in it have no rows. What a row says about other events is looked up among those before it, so the
rows are the same whether the events come one by one or all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from ledger.events import (
    UNRECORDED,
    Amended,
    AttackResolved,
    ChainModified,
    CheckResolved,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    Event,
    Forked,
    Healed,
    Inserted,
    Moved,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
    Redone,
    ResourceChanged,
    Rolled,
    Ruled,
    SaveResolved,
    TurnEnded,
    TurnStarted,
    Undone,
)
from projections.battle import Battle
from projections.course import Course
from projections.notation import read
from projections.origins import actor_behind, ruling_behind
from projections.readmodels.attacks import attack_behind, attack_facts
from projections.readmodels.falls import fall_fact, is_fall

E = TypeVar("E", bound=Event)


class Moment(NamedTuple):
    """The context of an event: everything up to it, what stood then, and the state after it."""

    events: Sequence[Event]
    course: Course
    spent: int = 0
    """How much of a resource that the event changes was spent before it."""

    @property
    def battle(self) -> Battle:
        return self.course.battle

    def group(self, event: Event) -> Iterator[Event]:
        """The events of the same declaration, the latest first."""
        return reversed(self.course.group(event.declaration))

    def latest(self, kind: type[E]) -> E | None:
        """The last standing event of a kind."""
        return next((event for event in reversed(self.course.standing) if type(event) is kind), None)


Fact = tuple[str, tuple[Any, ...]]
"""A table, and the values of a row after those of the envelope."""


def facts_of(event: Event, moment: Moment) -> Iterator[Fact]:
    make = FACTS_OF.get(type(event))
    return make(event, moment) if make is not None else iter(())


def spent_before(event: Event, battle: Battle) -> int:
    """Asked before the event is folded, which then holds only the total."""
    if type(event) is not ResourceChanged or event.owner not in battle.combatants:
        return 0
    resource = battle.combatants[event.owner].economy.get(event.resource)
    return resource.spent if resource is not None else 0


def _turn(event: TurnEnded, moment: Moment) -> Iterator[Fact]:
    started = moment.latest(TurnStarted)
    if started is not None and started.combatant == event.combatant:
        yield "turns", (event.combatant, started.seq, started.recorded_at, event.recorded_at)
    combatant = moment.battle.combatants.get(event.combatant)
    if combatant is not None:
        for place, (name, resource) in enumerate(combatant.economy.items(), 1):
            yield "unspent", (place, event.combatant, name, resource.current)


def _declaration(event: Declared, _: Moment) -> Iterator[Fact]:
    x, y = event.destination or (None, None)
    said = (event.by, event.recorded_at, event.cause)
    yield "declarations", (event.actor, list(event.targets), event.weapon, x, y, *said)


def _roll(event: Rolled, _: Moment) -> Iterator[Fact]:
    faces, kept = [str(face) for face in event.faces], [str(face) for face in event.kept]
    added = sum(modifier.amount for modifier in event.modifiers)
    about = (event.purpose, _recorded(event.chain), event.roller, event.notation, event.mode.value)
    yield "rolls", (*about, faces, kept, added, event.total, event.dice_source.value)
    for place, modifier in enumerate(event.modifiers, 1):
        yield "roll_modifiers", (place, event.roller, modifier.source, modifier.amount)
    yield from _dice(event)


def _recorded(value: str | None) -> str | None:
    """None for what the event's old version did not record."""
    return None if value == UNRECORDED else value


def _dice(event: Rolled) -> Iterator[Fact]:
    notation, origin = read(event.notation), event.dice_source.value
    dice = notation.dice(len(event.faces)) if notation else []
    for place, (die, face) in enumerate(zip(dice, event.faces, strict=False), 1):
        yield "dice", (place, die.name, die.sides, str(face), face if isinstance(face, int) else None, origin)


def _chain_modifier(event: ChainModified, _: Moment) -> Iterator[Fact]:
    change = event.change
    about = (event.chain, event.stage, event.source, event.owner, event.reason)
    yield "chain_modifiers", (*about, change.op.value, change.amount, change.dice, change.label)


def _attack(event: AttackResolved, moment: Moment) -> Iterator[Fact]:
    return attack_facts(event, list(moment.group(event)))


def _damage(event: Damaged, moment: Moment) -> Iterator[Fact]:
    if ruled := ruling_behind(event, moment.events):
        yield _ruling(ruled, event, -event.amount)
        return
    attack = attack_behind(event, moment.group(event))
    came_from = (attack.weapon, attack.seq) if attack else (None, None)
    lost = (event.amount, event.left, event.overkill)
    yield "damage", (event.target, event.pool, *lost, event.source, *came_from)
    for place, part in enumerate(event.parts, 1):
        yield "damage_parts", (place, event.target, event.source, part.source, part.amount, part.damage_type)


def _healing(event: Healed, moment: Moment) -> Iterator[Fact]:
    if ruled := ruling_behind(event, moment.events):
        yield _ruling(ruled, event, event.amount)
        return
    is_combatant = event.source in moment.battle.combatants
    actor = event.source if is_combatant else actor_behind(event, moment.events)
    source = None if is_combatant else event.source
    yield "healing", (event.target, event.pool, event.amount, event.left, actor, source, event.why)


def _ruling(ruled: Ruled, event: Damaged | Healed, change: int) -> Fact:
    return "rulings", (event.target, event.pool, change, event.left, ruled.by, ruled.reason)


def _save(event: SaveResolved, _: Moment) -> Iterator[Fact]:
    yield "saves", (event.saver, event.save, event.success, event.total, event.against, event.source)


def _check(event: CheckResolved, _: Moment) -> Iterator[Fact]:
    yield "checks", (event.checker, event.check, event.success, event.total, event.against)


def _reaction(event: ReactionChosen | ReactionDeclined, moment: Moment) -> Iterator[Fact]:
    window = moment.events[event.window - 1]
    if not isinstance(window, ReactionWindowOpened):
        return
    offer = next((offer for offer in window.offers if offer.reactor == event.reactor), None)
    offered, useful = (list(offer.reactions), list(offer.useful)) if offer else ([], [])
    taken = event.reaction if isinstance(event, ReactionChosen) else None
    outcome = "used" if taken else "missed" if useful else "declined"
    about = (event.window, window.moment, window.subject, event.reactor)
    yield "reactions", (*about, offered, useful, taken, outcome, event.decided_by.value)


def _move(event: Moved, _: Moment) -> Iterator[Fact]:
    x, y = event.origin or (None, None)
    yield "moves", (event.mover, x, y, *event.to, event.cost, event.forced)


def _resource_change(event: ResourceChanged, moment: Moment) -> Iterator[Fact]:
    owner = moment.battle.combatants.get(event.owner)
    is_vital = owner is not None and event.resource in owner.vitals
    used = event.before - event.after if is_vital else event.spent - moment.spent
    amounts = (event.before, event.after, max(0, used), event.maximum, event.spent, event.locked)
    yield "resource_changes", (event.owner, event.resource, *amounts, _recorded(event.source), event.why)


def _condition_began(event: ConditionApplied, moment: Moment) -> Iterator[Fact]:
    yield "condition_changes", (event.target, event.condition, True, event.source, event.owner, None)
    if is_fall(event, moment.course):
        yield fall_fact(event, moment.events, moment.course)


def _condition_ended(event: ConditionRemoved, _: Moment) -> Iterator[Fact]:
    yield "condition_changes", (event.target, event.condition, False, None, None, event.why)


def _correction(event: Undone | Redone | Amended | Inserted, _: Moment) -> Iterator[Fact]:
    retracts = [] if isinstance(event, Redone) else list(event.retracts)
    amends = event.amends if isinstance(event, Amended) else None
    takes_back = event.undone if isinstance(event, Redone) else None
    runs = () if isinstance(event, Redone) else event.places
    places = [number for run in runs for number in (run.first, run.last, run.after)]
    said = (event.kind, event.by, event.reason, event.recorded_at)
    yield "corrections", (*said, retracts, amends, takes_back, places)


def _fork(event: Forked, _: Moment) -> Iterator[Fact]:
    yield "corrections", (event.kind, event.by, None, event.recorded_at, [], None, None, [])


OF_THE_STATE = {TurnEnded: ("turns", "unspent"), ConditionApplied: ("condition_changes", "falls")}
"""Kinds whose rows say what was so at that moment, and those rows' tables: a correction of something earlier changes
them although the event stays as it is."""

FACTS_OF: dict[type[Event], Callable[[Any, Moment], Iterator[Fact]]] = {
    TurnEnded: _turn,
    Declared: _declaration,
    Rolled: _roll,
    ChainModified: _chain_modifier,
    AttackResolved: _attack,
    Damaged: _damage,
    Healed: _healing,
    SaveResolved: _save,
    CheckResolved: _check,
    ReactionChosen: _reaction,
    ReactionDeclined: _reaction,
    Moved: _move,
    ResourceChanged: _resource_change,
    ConditionApplied: _condition_began,
    ConditionRemoved: _condition_ended,
    Undone: _correction,
    Redone: _correction,
    Amended: _correction,
    Inserted: _correction,
    Forked: _fork,
}
