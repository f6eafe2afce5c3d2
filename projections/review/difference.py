"""How two states of a fight differ, and where two histories diverge.

`difference_words` in `projections/story` puts a difference into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field
from pydantic_core import to_jsonable_python
from typing_extensions import TypedDict

from ledger.events import Controller, Event, Position, Until
from ledger.json_shapes import EventData, JsonShape, adapter
from projections.battle.combatant import Combatant, Condition
from projections.battle.fold import Battle, fold
from projections.story.names import Names, names_in
from projections.views import SeatView
from projections.views.received_events import events_of
from projections.views.state import CombatantOutline


class Aspect(StrEnum):
    """What differs. The comments give the type of `before` and `after`; None: not present."""

    # of the fight
    RULESET = "ruleset"  # str
    DICE = "dice"  # str
    ROUND = "round"  # int; 0 before the first
    TURN = "turn"  # str: whose turn it is
    CLOSED = "closed"  # bool
    LABELS = "labels"  # tuple[str, ...]
    INITIATIVE = "initiative"  # tuple[Place, ...]
    WINDOW = "window"  # Waiting
    QUESTION = "question"  # int: how often it is asked; `name` is the question, `who` the combatant it is about
    # of one combatant
    PRESENCE = "presence"  # Presence
    CALLED = "called"  # str: its name
    SIDE = "side"  # str
    CONTROLLER = "controller"  # Controller
    POSITION = "position"  # Position
    HEALTH = "health"  # str: how a combatant looks that is known by sight only
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
class InitiativePlace:
    """A place in the initiative order."""

    combatant: str
    value: int | None
    """None: not seen."""


@dataclass(frozen=True, slots=True)
class WaitingReaction:
    """A reaction window: what it is about, and who is asked next for which reactions."""

    moment: str
    subject: str
    reactor: str | None
    reactions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PoolState:
    """A vital or a resource."""

    current: int
    maximum: int | None = None
    spent: int = 0
    locked: int = 0


@dataclass(frozen=True, slots=True)
class HeldCondition:
    """A condition of a combatant."""

    source: str
    owner: str
    level: int | None = None
    until: Until | None = None


@dataclass(frozen=True, slots=True)
class HeldGrant:
    """A granted action that has not been used yet."""

    source: str
    weapon: str | None = None


Value = (
    str
    | int
    | bool
    | Position
    | Controller
    | Presence
    | WaitingReaction
    | PoolState
    | HeldCondition
    | tuple[Any, ...]
    | None
)


_VALUES: dict[Aspect, Any] = {
    Aspect.LABELS: tuple[str, ...] | None,
    Aspect.INITIATIVE: tuple[InitiativePlace, ...] | None,
    Aspect.WINDOW: WaitingReaction | None,
    Aspect.PRESENCE: Presence | None,
    Aspect.CONTROLLER: Controller | None,
    Aspect.POSITION: Position | None,
    Aspect.VITAL: PoolState | None,
    Aspect.RESOURCE: PoolState | None,
    Aspect.CONDITION: HeldCondition | None,
    Aspect.GRANT: tuple[HeldGrant, ...] | None,
    Aspect.PILE: tuple[str, ...] | None,
}
"""How `before` and `after` are read from JSON; all others are plain values there."""


class DifferenceData(TypedDict):
    aspect: Annotated[str, Field(description="what differs: `vital`, `condition`, `position` and so on")]
    who: Annotated[str | None, Field(description="the combatant it is about; null: the fight")]
    name: Annotated[str | None, Field(description="which vital, resource, condition, action, pile or question")]
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs between two states."""

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
    """Everything that differs: the fight first, then each combatant."""
    return compare_pictures(state_picture(before), state_picture(after))


@dataclass(frozen=True, slots=True)
class StatePicture:
    """Everything that can differ in a state, so that it can be compared after the battle has moved on."""

    combatants: tuple[str, ...]
    state: State


def state_picture(battle: Battle) -> StatePicture:
    return StatePicture(tuple(battle.combatants), _state(battle))


def compare_pictures(before: StatePicture, after: StatePicture) -> list[Difference]:
    old, new = dict(before.state), dict(after.state)
    for picture, state in ((before, new), (after, old)):
        _leave_out_strangers(picture.combatants, state)
    changed = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    people = [None, *dict.fromkeys([*before.combatants, *after.combatants])]
    changed.sort(key=lambda key: (people.index(key[1]) if key[1] in people else len(people), _ORDER[key[0]]))
    return [Difference(*key, old.get(key), new.get(key)) for key in changed]


_OF_STRANGERS = (Aspect.PRESENCE, Aspect.QUESTION)


def _leave_out_strangers(others: Sequence[str], state: State) -> None:
    """If a combatant is missing from the other state, only its presence is listed."""
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
        Aspect.INITIATIVE: tuple(InitiativePlace(entry.combatant, entry.value) for entry in clock.order),
        Aspect.WINDOW: _waiting(battle),
    }
    return (((aspect, None, None), value) for aspect, value in values.items())


def _waiting(battle: Battle) -> WaitingReaction | None:
    window = battle.window
    if window is None:
        return None
    offer = window.waiting
    asked = (offer.reactor, offer.reactions) if offer is not None else (None, ())
    return WaitingReaction(window.moment, window.subject, *asked)


def _of_combatant(combatant: Combatant) -> Iterator[tuple[Aspect, str | None, Value]]:
    yield Aspect.PRESENCE, None, Presence.PRESENT if combatant.present else Presence.LEFT
    yield Aspect.CALLED, None, combatant.name
    yield Aspect.SIDE, None, combatant.side
    yield Aspect.CONTROLLER, None, combatant.controller
    yield Aspect.POSITION, None, combatant.position
    if isinstance(combatant, CombatantOutline):
        yield Aspect.HEALTH, None, combatant.health.value if combatant.health is not None else None
    for name, vital in combatant.vitals.items():
        yield Aspect.VITAL, name, PoolState(vital.current, vital.maximum)
    for name, pool in combatant.economy.items():
        yield Aspect.RESOURCE, name, PoolState(pool.current, pool.maximum, pool.spent, pool.locked)
    for ref, condition in combatant.conditions.items():
        yield Aspect.CONDITION, ref, _held(condition)
    for action in dict.fromkeys(grant.action for grant in combatant.granted.values()):
        grants = [HeldGrant(grant.source, grant.weapon) for grant in combatant.granted_actions(action)]
        yield Aspect.GRANT, action, tuple(sorted(grants, key=lambda grant: (grant.source, grant.weapon or "")))
    for name, cards in combatant.piles.items():
        yield Aspect.PILE, name, tuple(cards)


def _held(condition: Condition) -> HeldCondition:
    return HeldCondition(condition.source, condition.owner, condition.level, condition.until)


class ComparisonData(TypedDict):
    common: Annotated[int, Field(description="how many events both have at the beginning")]
    only_first: list[EventData]
    only_second: list[EventData]
    state: list[DifferenceData]
    names: Annotated[dict[str, str], Field(description="what the combatants are called, by id")]


@dataclass(frozen=True, slots=True)
class Comparison(JsonShape):
    document: ClassVar = ComparisonData

    common: int
    """How many events they share at the beginning."""
    only_first: Sequence[Event]
    only_second: Sequence[Event]
    state: list[Difference]
    names: Names
    """Display names of the combatants, by id."""

    def to_json(self) -> ComparisonData:
        return {
            "common": self.common,
            "only_first": [event.to_json() for event in self.only_first],
            "only_second": [event.to_json() for event in self.only_second],
            "state": [difference.to_json() for difference in self.state],
            "names": dict(self.names),
        }

    @classmethod
    def from_json(cls, data: ComparisonData) -> Self:
        first, second = events_of(data["only_first"]), events_of(data["only_second"])
        state = [Difference.from_json(one) for one in data["state"]]
        return cls(data["common"], first, second, state, data["names"])


def compare_histories(first: Sequence[Event], second: Sequence[Event]) -> Comparison:
    return _compare(first, second, fold(first), fold(second))


def compare_seen(first: SeatView, second: SeatView) -> Comparison:
    """The same, limited to what was seen from a seat."""
    return _compare(first.seen, second.seen, first.battle, second.battle)


def _compare(first: Sequence[Event], second: Sequence[Event], one: Battle, other: Battle) -> Comparison:
    common = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        common += 1
    return Comparison(common, first[common:], second[common:], differences(one, other), names_in(other, one))
