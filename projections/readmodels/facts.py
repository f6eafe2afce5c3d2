"""From an event to its rows. The table at the end says which kind becomes a row of which table.

An attack has a row for each of its sources, with the result without that source. A fall has the last blow before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from ledger.events import (
    UNRECORDED,
    Amended,
    AttackResolved,
    ChainModified,
    ChangeOp,
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
from projections.battle.dice import read_notation
from projections.battle.event_history import GM, EventHistory, action_of, actor_behind, modifiers_of, ruling_behind
from projections.battle.fold import Battle
from projections.ruleset_profile import profile_of

_MODES = (ChangeOp.ADVANTAGE, ChangeOp.DISADVANTAGE)

AttackFact = tuple[str, tuple[Any, ...]]


def attack_facts(attack: AttackResolved, group: Sequence[Event]) -> Iterator[AttackFact]:
    """`group` holds the events of the declaration, the latest first."""
    rolls = (event for event in group if isinstance(event, Rolled))
    roll = next((roll for roll in rolls if roll.roller == attack.attacker and roll.total == attack.total), None)
    came = (attack.hit, attack.critical, attack.roll, attack.total, attack.against)
    yield "attacks", (attack.attacker, attack.target, attack.weapon, *came, roll.seq if roll else None)
    if roll is not None:
        about = (attack.attacker, attack.weapon, attack.hit, attack.total, attack.against)
        for place, without in enumerate(_without_each_source(attack, roll, group), 1):
            yield "attack_sources", (place, *about, *without)


def attack_behind(damaged: Damaged, group: Iterable[Event]) -> AttackResolved | None:
    """The attack that damage came from. `group` holds the events of its declaration, the latest first."""
    attacks = (event for event in group if isinstance(event, AttackResolved) and event.seq < damaged.seq)
    return next((attack for attack in attacks if attack.hit and attack.target == damaged.target), None)


def _without_each_source(attack: AttackResolved, roll: Rolled, group: Sequence[Event]) -> Iterator[tuple[Any, ...]]:
    """Each source, with the natural roll and the total without it."""
    for modifier in roll.modifiers:
        yield modifier.source, attack.roll, attack.total - modifier.amount
    modes = _mode_modifiers(attack, roll, group)
    for modified in modes:
        alone = sum(other.change.op is modified.change.op for other in modes) == 1
        first = roll.faces[0] if roll.faces else None
        if alone and modified.change.op.value == roll.mode.value and isinstance(first, int):
            yield modified.source, first, attack.total - attack.roll + first
        else:
            yield modified.source, attack.roll, attack.total


def _mode_modifiers(attack: AttackResolved, roll: Rolled, group: Sequence[Event]) -> list[ChainModified]:
    """What gave the roll advantage or disadvantage, since the attack before it in the same declaration."""
    found = []
    for event in group:
        if isinstance(event, AttackResolved) and event.seq < attack.seq:
            break
        if isinstance(event, ChainModified) and event.change.op in _MODES:
            found.append(event)
    return modifiers_of(roll, found[::-1])


def is_fall(event: ConditionApplied, course: EventHistory) -> bool:
    """Whether the combatant falls now. A condition that is applied again, as for a failed death save, is no new
    fall."""
    ruleset, _, name = event.condition.partition(":")
    if name.rpartition(":")[2] not in profile_of(ruleset).falls:
        return False
    about = (event.target, event.condition)
    earlier = (
        other
        for other in reversed(course.standing)
        if isinstance(other, ConditionApplied | ConditionRemoved)
        and (other.target, other.condition) == about
        and other is not event
    )
    return not isinstance(next(earlier, None), ConditionApplied)


def fall_fact(event: ConditionApplied, events: Sequence[Event], course: EventHistory) -> tuple[str, tuple[Any, ...]]:
    blow = _last_blow(event, events, course)
    if blow is None:
        return "falls", (event.target, event.condition, _someone_else(event), None, None, None, None, None)
    attack = attack_behind(blow, reversed(course.group(blow.declaration)))
    by = blow.source or _someone_else(event)
    what = (attack.weapon if attack else None, action_of(blow, events))
    return "falls", (event.target, event.condition, by, *what, blow.amount, blow.overkill, blow.seq)


def _last_blow(event: ConditionApplied, events: Sequence[Event], course: EventHistory) -> Damaged | None:
    """None if a ruling brought it about, or if the combatant was not hurt before."""
    if event.owner == GM:
        return None
    hurt = (blow for blow in reversed(course.standing) if isinstance(blow, Damaged) and blow.target == event.target)
    return next((blow for blow in hurt if ruling_behind(blow, events) is None), None)


def _someone_else(event: ConditionApplied) -> str | None:
    return event.owner if event.owner != event.target else None


E = TypeVar("E", bound=Event)


class FactMoment(NamedTuple):
    """The context of an event: everything up to it, what stood then, and the state after it."""

    events: Sequence[Event]
    course: EventHistory
    spent: int = 0
    """How much of the changed resource had been spent before the event."""

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
"""A table, and the values of a row without those of the envelope."""


def facts_of(event: Event, moment: FactMoment) -> Iterator[Fact]:
    make = FACTS_OF.get(type(event))
    return make(event, moment) if make is not None else iter(())


def spent_before(event: Event, battle: Battle) -> int:
    """Call it before the event is folded: afterwards only the total is known."""
    if type(event) is not ResourceChanged or event.owner not in battle.combatants:
        return 0
    resource = battle.combatants[event.owner].economy.get(event.resource)
    return resource.spent if resource is not None else 0


def _turn(event: TurnEnded, moment: FactMoment) -> Iterator[Fact]:
    started = moment.latest(TurnStarted)
    if started is not None and started.combatant == event.combatant:
        yield "turns", (event.combatant, started.seq, started.recorded_at, event.recorded_at)
    combatant = moment.battle.combatants.get(event.combatant)
    if combatant is not None:
        for place, (name, resource) in enumerate(combatant.economy.items(), 1):
            yield "unspent", (place, event.combatant, name, resource.current)


def _declaration(event: Declared, _: FactMoment) -> Iterator[Fact]:
    x, y = event.destination or (None, None)
    said = (event.by, event.recorded_at, event.cause)
    yield "declarations", (event.actor, list(event.targets), event.weapon, x, y, *said)


def _roll(event: Rolled, _: FactMoment) -> Iterator[Fact]:
    faces, kept = [str(face) for face in event.faces], [str(face) for face in event.kept]
    added = sum(modifier.amount for modifier in event.modifiers)
    about = (event.purpose, _recorded(event.chain), event.roller, event.notation, event.mode.value)
    yield "rolls", (*about, faces, kept, added, event.total, event.dice_source.value)
    for place, modifier in enumerate(event.modifiers, 1):
        yield "roll_modifiers", (place, event.roller, modifier.source, modifier.amount)
    yield from _dice(event)


def _recorded(value: str | None) -> str | None:
    """None if the event's old version did not record it."""
    return None if value == UNRECORDED else value


def _dice(event: Rolled) -> Iterator[Fact]:
    notation, origin = read_notation(event.notation), event.dice_source.value
    dice = notation.dice(len(event.faces)) if notation else []
    for place, (die, face) in enumerate(zip(dice, event.faces, strict=False), 1):
        yield "dice", (place, die.name, die.sides, str(face), face if isinstance(face, int) else None, origin)


def _chain_modifier(event: ChainModified, _: FactMoment) -> Iterator[Fact]:
    change = event.change
    about = (event.chain, event.stage, event.source, event.owner, event.reason)
    yield "chain_modifiers", (*about, change.op.value, change.amount, change.dice, change.label)


def _attack(event: AttackResolved, moment: FactMoment) -> Iterator[Fact]:
    return attack_facts(event, list(moment.group(event)))


def _damage(event: Damaged, moment: FactMoment) -> Iterator[Fact]:
    if ruled := ruling_behind(event, moment.events):
        yield _ruling(ruled, event, -event.amount)
        return
    attack = attack_behind(event, moment.group(event))
    came_from = (attack.weapon, attack.seq) if attack else (None, None)
    lost = (event.amount, event.left, event.overkill)
    yield "damage", (event.target, event.pool, *lost, event.source, *came_from)
    for place, part in enumerate(event.parts, 1):
        yield "damage_parts", (place, event.target, event.source, part.source, part.amount, part.damage_type)


def _healing(event: Healed, moment: FactMoment) -> Iterator[Fact]:
    if ruled := ruling_behind(event, moment.events):
        yield _ruling(ruled, event, event.amount)
        return
    is_combatant = event.source in moment.battle.combatants
    actor = event.source if is_combatant else actor_behind(event, moment.events)
    source = None if is_combatant else event.source
    yield "healing", (event.target, event.pool, event.amount, event.left, actor, source, event.why)


def _ruling(ruled: Ruled, event: Damaged | Healed, change: int) -> Fact:
    return "rulings", (event.target, event.pool, change, event.left, ruled.by, ruled.reason)


def _save(event: SaveResolved, _: FactMoment) -> Iterator[Fact]:
    yield "saves", (event.saver, event.save, event.success, event.total, event.against, event.source)


def _check(event: CheckResolved, _: FactMoment) -> Iterator[Fact]:
    yield "checks", (event.checker, event.check, event.success, event.total, event.against)


def _reaction(event: ReactionChosen | ReactionDeclined, moment: FactMoment) -> Iterator[Fact]:
    window = moment.events[event.window - 1]
    if not isinstance(window, ReactionWindowOpened):
        return
    offer = next((offer for offer in window.offers if offer.reactor == event.reactor), None)
    offered, useful = (list(offer.reactions), list(offer.useful)) if offer else ([], [])
    taken = event.reaction if isinstance(event, ReactionChosen) else None
    outcome = "used" if taken else "missed" if useful else "declined"
    about = (event.window, window.moment, window.subject, event.reactor)
    yield "reactions", (*about, offered, useful, taken, outcome, event.decided_by.value)


def _move(event: Moved, _: FactMoment) -> Iterator[Fact]:
    x, y = event.origin or (None, None)
    yield "moves", (event.mover, x, y, *event.to, event.cost, event.forced)


def _resource_change(event: ResourceChanged, moment: FactMoment) -> Iterator[Fact]:
    owner = moment.battle.combatants.get(event.owner)
    is_vital = owner is not None and event.resource in owner.vitals
    used = event.before - event.after if is_vital else event.spent - moment.spent
    amounts = (event.before, event.after, max(0, used), event.maximum, event.spent, event.locked)
    yield "resource_changes", (event.owner, event.resource, *amounts, _recorded(event.source), event.why)


def _condition_began(event: ConditionApplied, moment: FactMoment) -> Iterator[Fact]:
    yield "condition_changes", (event.target, event.condition, True, event.source, event.owner, None)
    if is_fall(event, moment.course):
        yield fall_fact(event, moment.events, moment.course)


def _condition_ended(event: ConditionRemoved, _: FactMoment) -> Iterator[Fact]:
    yield "condition_changes", (event.target, event.condition, False, None, None, event.why)


def _correction(event: Undone | Redone | Amended | Inserted, _: FactMoment) -> Iterator[Fact]:
    retracts = [] if isinstance(event, Redone) else list(event.retracts)
    amends = event.amends if isinstance(event, Amended) else None
    takes_back = event.undone if isinstance(event, Redone) else None
    runs = () if isinstance(event, Redone) else event.places
    places = [number for run in runs for number in (run.first, run.last, run.after)]
    said = (event.kind, event.by, event.reason, event.recorded_at)
    yield "corrections", (*said, retracts, amends, takes_back, places)


def _fork(event: Forked, _: FactMoment) -> Iterator[Fact]:
    yield "corrections", (event.kind, event.by, None, event.recorded_at, [], None, None, [])


OF_THE_STATE = {TurnEnded: ("turns", "unspent"), ConditionApplied: ("condition_changes", "falls")}
"""Kinds whose rows describe the moment, and the tables of those rows. A correction of something earlier changes the
rows although the event itself stays as it is."""

FACTS_OF: dict[type[Event], Callable[[Any, FactMoment], Iterator[Fact]]] = {
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
