"""A battle that can go back: before each event, it notes how to undo what the event changes.

Corrections usually take back recent events. Going back costs one step per event that is taken back.
The table at the end says what each frequent kind changes; before the rare others, the whole
state is noted.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ledger.events import (
    ActionGranted,
    ActionRemoved,
    CardsMoved,
    CombatantJoined,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    Event,
    Healed,
    InitiativeSet,
    LinkAsked,
    LinkRevealed,
    LinkWithheld,
    ManualResolutionNeeded,
    Moved,
    PoliciesSet,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
    ResourceChanged,
    Rolled,
    RoundStarted,
    Ruled,
    SideChanged,
    TerrainChanged,
    TurnEnded,
    TurnStarted,
)
from projections.battle.clock_and_map import Clock, ReactionWindow
from projections.battle.combatant import Combatant, Economy, Vital
from projections.battle.dice import RollNumbers
from projections.battle.fold import CHANGING, FOLDS, Battle

Restore = Callable[[], object]


class JournaledBattle(Battle):
    """Applies events as any battle does."""

    def __init__(self) -> None:
        super().__init__()
        self._journal: list[tuple[int, Restore]] = []
        self._noted: Battle = weakref.proxy(self)
        """A stand-in for the battle in its own notes. A direct reference would be a cycle that only the collector
        could free."""

    def apply(self, event: Event) -> None:
        kind, seq = type(event), event.seq
        note = _NOTE_BEFORE[kind]
        if note is not None and (restore := note(self._noted, event)) is not None:
            self._journal.append((seq, restore))
        FOLDS[kind](self, event)  # as Battle.apply does; calling it takes longer than applying some events
        if seq > self.seq:
            self.seq = seq

    @property
    def changes(self) -> int:
        """How many changes have been noted, as a mark to go back to."""
        return len(self._journal)

    def go_back_to(self, changes: int) -> None:
        """Restore the state at such a mark. The number of the last event stays."""
        while len(self._journal) > changes:
            self._journal.pop()[1]()

    def take_back(self, event: Event) -> None:
        """Restore the state before an event, which must be the last one applied."""
        while self._journal and self._journal[-1][0] == event.seq:
            self._journal.pop()[1]()


def copy_of(battle: Battle) -> JournaledBattle:
    """A copy of the state that can go its own way. Parts that cannot change are shared."""
    copy = JournaledBattle()
    copy.seq, copy.opened, copy.fork, copy.view = battle.seq, battle.opened, battle.fork, battle.view
    copy.map = battle.map
    copy.clock = replace(battle.clock, order=list(battle.clock.order))
    copy.combatants = {name: _combatant(combatant) for name, combatant in battle.combatants.items()}
    window = battle.window
    copy.window = replace(window, answered=set(window.answered)) if window is not None else None
    copy.questions, copy.actions = dict(battle.questions), dict(battle.actions)
    copy.labels = battle.labels
    copy.roll_numbers = battle.roll_numbers.copy()
    copy.links = battle.links
    return copy


def _combatant(combatant: Combatant) -> Combatant:
    return replace(
        combatant,
        vitals={name: replace(vital) for name, vital in combatant.vitals.items()},
        economy=Economy(combatant.economy),
        policies=dict(combatant.policies),
        conditions=dict(combatant.conditions),
        granted=dict(combatant.granted),
        piles={name: list(cards) for name, cards in combatant.piles.items()},
    )


def _attribute(owner: Any, name: str) -> Restore:
    return partial(setattr, owner, name, getattr(owner, name))


def _entry(entries: dict[Any, Any], key: Any) -> Restore:
    """A new key goes last; an existing one keeps its place."""
    if key not in entries:
        return partial(entries.pop, key, None)
    return partial(entries.__setitem__, key, entries[key])


def _joined(battle: Battle, event: CombatantJoined) -> Restore:
    return _entry(battle.combatants, event.combatant)


def _turn_started(battle: Battle, event: TurnStarted) -> Restore:
    turn, actions = _attribute(battle.clock, "turn"), _attribute(battle, "actions")
    return lambda: (turn(), actions())[0]


def _rolled(battle: Battle, event: Rolled) -> Restore | None:
    numbers, number = battle.roll_numbers, event.drawn
    is_counted = number is not None and event.contributions is None
    return None if number is None or not is_counted or numbers.holds(number) else partial(numbers.release, number)


def _answered(battle: Battle, event: ReactionChosen | ReactionDeclined) -> Restore:
    window = battle.window
    before = (set(window.answered), window.asked_at) if window is not None else None

    def restore() -> None:
        battle.window = window
        if window is not None and before is not None:
            window.answered, window.asked_at = before

    return restore


def _vital(battle: Battle, event: Damaged | Healed) -> Restore:
    return _attribute(battle.combatants[event.target].vitals[event.pool], "current")


def _conditions(battle: Battle, event: ConditionApplied | ConditionRemoved) -> Restore:
    """All of them together, because the order of conditions matters; a combatant has only a few."""
    return _whole(battle.combatants[event.target], "conditions")


def _grants(battle: Battle, event: ActionGranted | ActionRemoved) -> Restore:
    return _whole(battle.combatants[event.owner], "granted")


def _whole(owner: Any, name: str) -> Restore:
    return partial(setattr, owner, name, dict(getattr(owner, name)))


def _resource(battle: Battle, event: ResourceChanged) -> Restore:
    owner = battle.combatants[event.owner]
    vital = owner.vitals.get(event.resource)
    return _attribute(vital, "current") if vital is not None else _entry(owner.economy, event.resource)


def _piles(battle: Battle, event: CardsMoved) -> Restore:
    owner = battle.combatants[event.owner]
    piles = {name: list(cards) for name, cards in owner.piles.items()}
    return partial(setattr, owner, "piles", piles)


def _question(battle: Battle, event: ManualResolutionNeeded) -> Restore:
    return _entry(battle.questions, event.seq)


def _ruled(battle: Battle, event: Ruled) -> Restore | None:
    """The order of the questions counts, and notes on when they were raised refer to the same dictionary."""
    questions = battle.questions
    return partial(_refill, questions, questions.update, dict(questions)) if event.answers in questions else None


_NOT_FOLDED = ("seq", "links", "view", "_journal", "_noted")
"""Attributes of a battle that no event changes when it is applied to it."""
_PARTS = (Clock, Combatant, ReactionWindow, RollNumbers, Vital)


def _everything(battle: Battle, event: Event) -> Restore:
    """The whole state. Its parts stay the same objects, since notes on earlier events refer to them."""
    attributes = {name: part for name, part in vars(battle).items() if name not in _NOT_FOLDED}
    inside = [restore for part in attributes.values() for restore in _inside(part)]

    def restore() -> None:
        for name, part in attributes.items():
            setattr(battle, name, part)
        for restore_part in inside:
            restore_part()

    return restore


def _inside(part: Any) -> Iterator[Restore]:
    """Whatever can change in a part of the state, at any depth."""
    held: list[Any] = []
    if isinstance(part, _PARTS):
        held = [getattr(part, name) for name in part.__slots__ if name not in ("sheet", "view")]
        yield from (_attribute(part, name) for name in part.__slots__ if name != "view")
    elif isinstance(part, dict):
        held = list(part.values())
        yield partial(_refill, part, part.update, dict(part))
    elif isinstance(part, list):
        held = part
        yield partial(_refill, part, part.extend, list(part))
    elif isinstance(part, set):
        yield partial(_refill, part, part.update, set(part))
    for one in held:
        yield from _inside(one)


def _refill(container: Any, fill: Callable[[Any], None], content: Any) -> None:
    container.clear()
    fill(content)


NOTES: dict[type[Event], Callable[[Battle, Any], Restore | None]] = {
    # time
    CombatantJoined: _joined,
    CombatantLeft: lambda battle, event: _attribute(battle.combatants[event.combatant], "present"),
    PoliciesSet: lambda battle, event: _attribute(battle.combatants[event.combatant], "policies"),
    InitiativeSet: lambda battle, event: _attribute(battle.clock, "order"),
    RoundStarted: lambda battle, event: _attribute(battle.clock, "round"),
    TurnStarted: _turn_started,
    TurnEnded: lambda battle, event: _attribute(battle.clock, "turn"),
    # declaration
    Declared: lambda battle, event: _entry(battle.actions, event.seq),
    # roll
    Rolled: _rolled,
    LinkAsked: lambda battle, event: _attribute(battle, "window"),
    LinkRevealed: lambda battle, event: _attribute(battle, "window"),
    LinkWithheld: lambda battle, event: _attribute(battle, "window"),
    # reaction
    ReactionWindowOpened: lambda battle, event: _attribute(battle, "window"),
    ReactionChosen: _answered,
    ReactionDeclined: _answered,
    # outcome
    Damaged: _vital,
    Healed: _vital,
    ConditionApplied: _conditions,
    ConditionRemoved: _conditions,
    ActionGranted: _grants,
    ActionRemoved: _grants,
    ResourceChanged: _resource,
    CardsMoved: _piles,
    Moved: lambda battle, event: _attribute(battle.combatants[event.mover], "position"),
    TerrainChanged: lambda battle, event: _attribute(battle, "map"),
    SideChanged: lambda battle, event: _attribute(battle.combatants[event.combatant], "side"),
    # ruling
    Ruled: _ruled,
    ManualResolutionNeeded: _question,
}
"""How to undo what an event of a kind changes; None if this one changes nothing.

A kind that is not in it is taken back with `_everything`, which is right for all of them and slower.
"""

_NOTE_BEFORE = {kind: NOTES.get(kind, _everything) if kind in CHANGING else None for kind in FOLDS}
