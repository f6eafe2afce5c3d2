"""How two states of a fight differ: one `Difference` for each thing that is not the same in both.

`projections.difference_words` says a difference as a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field
from pydantic_core import to_jsonable_python
from typing_extensions import TypedDict

from ledger.events import Controller, Position, Until
from ledger.json_shapes import adapter
from projections.battle import Battle
from projections.combatant import Combatant, Condition
from projections.views.state import Outline


class Aspect(StrEnum):
    """What differs. The comment says what `before` and `after` hold; None: it is not there."""

    # of the fight
    RULESET = "ruleset"  # str
    DICE = "dice"  # str
    ROUND = "round"  # int; 0 before the first
    TURN = "turn"  # str: whose turn it is
    CLOSED = "closed"  # bool
    LABELS = "labels"  # tuple[str, ...]
    INITIATIVE = "initiative"  # tuple[Place, ...]
    WINDOW = "window"  # Waiting
    QUESTION = "question"  # int: how often it is asked; `name` is the question, `who` whom it is about
    # of one combatant
    PRESENCE = "presence"  # Presence
    CALLED = "called"  # str: its name
    SIDE = "side"  # str
    CONTROLLER = "controller"  # Controller
    POSITION = "position"  # Position
    HEALTH = "health"  # str: how it looks, of somebody who is known by sight only
    # of one combatant, by name
    VITAL = "vital"  # Pool
    RESOURCE = "resource"  # Pool
    CONDITION = "condition"  # Held; `name` is the condition's ref
    GRANT = "grant"  # tuple[Grant, ...]; `name` is the action's ref
    PILE = "pile"  # tuple[str, ...]: its cards, the top one first


class Presence(StrEnum):
    """Where a combatant stands in the story of a fight. ABSENT: it never joined."""

    ABSENT = "absent"
    PRESENT = "present"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the initiative order."""

    combatant: str
    value: int | None
    """None: it is not seen."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A reaction window: what it is about, and who is asked next for which reactions."""

    moment: str
    subject: str
    reactor: str | None
    reactions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pool:
    """A vital or a resource."""

    current: int
    maximum: int | None = None
    spent: int = 0
    locked: int = 0


@dataclass(frozen=True, slots=True)
class Held:
    """A condition that somebody has."""

    source: str
    owner: str
    level: int | None = None
    until: Until | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """A granted action that has not been used yet."""

    source: str
    weapon: str | None = None


Value = str | int | bool | Position | Controller | Presence | Waiting | Pool | Held | tuple[Any, ...] | None


_VALUES: dict[Aspect, Any] = {
    Aspect.LABELS: tuple[str, ...] | None,
    Aspect.INITIATIVE: tuple[Place, ...] | None,
    Aspect.WINDOW: Waiting | None,
    Aspect.PRESENCE: Presence | None,
    Aspect.CONTROLLER: Controller | None,
    Aspect.POSITION: Position | None,
    Aspect.VITAL: Pool | None,
    Aspect.RESOURCE: Pool | None,
    Aspect.CONDITION: Held | None,
    Aspect.GRANT: tuple[Grant, ...] | None,
    Aspect.PILE: tuple[str, ...] | None,
}
"""What reads `before` and `after` from JSON; all others are plain there."""


class DifferenceData(TypedDict):
    aspect: Annotated[str, Field(description="what differs: `vital`, `condition`, `position` and so on")]
    who: Annotated[str | None, Field(description="the combatant it is about; null: the fight")]
    name: Annotated[str | None, Field(description="which vital, resource, condition, action, pile or question")]
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same in two states."""

    aspect: Aspect
    who: str | None
    """The combatant it is about; None: the fight."""
    name: str | None
    """Which vital, resource, condition, action, pile or question."""
    before: Value
    after: Value

    def to_json(self) -> DifferenceData:
        data: DifferenceData = to_jsonable_python(self)
        return data

    @classmethod
    def from_json(cls, data: DifferenceData) -> Self:
        aspect = Aspect(data["aspect"])
        value = adapter(_VALUES.get(aspect, Any))
        before, after = value.validate_python(data["before"]), value.validate_python(data["after"])
        return cls(aspect, data["who"], data["name"], before, after)


_ORDER = {aspect: place for place, aspect in enumerate(Aspect)}
Key = tuple[Aspect, str | None, str | None]
State = dict[Key, Value]


def differences(before: Battle, after: Battle) -> list[Difference]:
    """Everything that differs, the fight first and then one combatant after the other."""
    return compare(picture(before), picture(after))


@dataclass(frozen=True, slots=True)
class Picture:
    """What can differ in a state, kept while the battle goes on."""

    combatants: tuple[str, ...]
    state: State


def picture(battle: Battle) -> Picture:
    return Picture(tuple(battle.combatants), _state(battle))


def compare(before: Picture, after: Picture) -> list[Difference]:
    old, new = dict(before.state), dict(after.state)
    for picture, state in ((before, new), (after, old)):
        _leave_out_strangers(picture.combatants, state)
    changed = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    people = [None, *dict.fromkeys([*before.combatants, *after.combatants])]
    changed.sort(key=lambda key: (people.index(key[1]) if key[1] in people else len(people), _ORDER[key[0]]))
    return [Difference(*key, old.get(key), new.get(key)) for key in changed]


_OF_STRANGERS = (Aspect.PRESENCE, Aspect.QUESTION)


def _leave_out_strangers(others: Sequence[str], state: State) -> None:
    """Of a combatant that is not in the other state at all, its presence says everything."""
    for aspect, who, name in list(state):
        if who is not None and who not in others and aspect not in _OF_STRANGERS:
            del state[aspect, who, name]
    for who in others:
        state.setdefault((Aspect.PRESENCE, who, None), Presence.ABSENT)


def _state(battle: Battle) -> State:
    state: State = dict(_of_fight(battle))
    for combatant in battle.combatants.values():
        state |= {(aspect, combatant.id, name): value for aspect, name, value in _of_combatant(combatant)}
    for question in battle.questions.values():
        key = (Aspect.QUESTION, question.subject, question.effect)
        asked = state.get(key)
        state[key] = (asked if isinstance(asked, int) else 0) + 1
    return state


def _of_fight(battle: Battle) -> Iterator[tuple[Key, Value]]:
    clock = battle.clock
    values: dict[Aspect, Value] = {
        Aspect.RULESET: battle.encounter.ruleset,
        Aspect.DICE: battle.encounter.dice,
        Aspect.ROUND: clock.round,
        Aspect.TURN: clock.turn,
        Aspect.CLOSED: clock.closed,
        Aspect.LABELS: battle.labels,
        Aspect.INITIATIVE: tuple(Place(entry.combatant, entry.value) for entry in clock.order),
        Aspect.WINDOW: _waiting(battle),
    }
    return (((aspect, None, None), value) for aspect, value in values.items())


def _waiting(battle: Battle) -> Waiting | None:
    window = battle.window
    if window is None:
        return None
    offer = window.waiting
    asked = (offer.reactor, offer.reactions) if offer is not None else (None, ())
    return Waiting(window.moment, window.subject, *asked)


def _of_combatant(combatant: Combatant) -> Iterator[tuple[Aspect, str | None, Value]]:
    yield Aspect.PRESENCE, None, Presence.PRESENT if combatant.present else Presence.LEFT
    yield Aspect.CALLED, None, combatant.name
    yield Aspect.SIDE, None, combatant.side
    yield Aspect.CONTROLLER, None, combatant.controller
    yield Aspect.POSITION, None, combatant.position
    if isinstance(combatant, Outline):
        yield Aspect.HEALTH, None, combatant.health.value if combatant.health is not None else None
    for name, vital in combatant.vitals.items():
        yield Aspect.VITAL, name, Pool(vital.current, vital.maximum)
    for name, pool in combatant.economy.items():
        yield Aspect.RESOURCE, name, Pool(pool.current, pool.maximum, pool.spent, pool.locked)
    for ref, condition in combatant.conditions.items():
        yield Aspect.CONDITION, ref, _held(condition)
    for action in dict.fromkeys(grant.action for grant in combatant.granted.values()):
        grants = [Grant(grant.source, grant.weapon) for grant in combatant.granted_actions(action)]
        yield Aspect.GRANT, action, tuple(sorted(grants, key=lambda grant: (grant.source, grant.weapon or "")))
    for name, cards in combatant.piles.items():
        yield Aspect.PILE, name, tuple(cards)


def _held(condition: Condition) -> Held:
    return Held(condition.source, condition.owner, condition.level, condition.until)
