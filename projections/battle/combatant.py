"""One combatant: its place, vitals, conditions, granted actions and action economy.

The economy has named resources. Each says what is left, spent and locked, and lists its latest changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core.core_schema import CoreSchema, no_info_after_validator_function

from ledger.events import (
    ActionGranted,
    CardsMoved,
    CombatantJoined,
    ConditionApplied,
    Controller,
    Data,
    Gauge,
    Policy,
    Position,
    ResourceChanged,
    Until,
)


@dataclass(slots=True)
class Resource:
    """What is left, spent and locked. Treat it as immutable: a change replaces it.

    It is not a frozen dataclass because those take three times as long to create, and folds create many.
    """

    current: int
    maximum: int | None = None
    spent: int = 0
    locked: int = 0
    recent: tuple[ResourceChanged, ...] = ()
    """Its changes in the turn in which it last changed, oldest first. The events say who changed it, when and why."""


class Economy(dict[str, Resource]):
    """The resources of one combatant by name."""

    @classmethod
    def of(cls, gauges: dict[str, Gauge]) -> Economy:
        return cls({name: Resource(gauge.current, gauge.maximum) for name, gauge in gauges.items()})

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_after_validator_function(cls, handler(dict[str, Resource]))

    def left(self, name: str) -> int:
        """What is available: 0 of a resource that the combatant does not have."""
        resource = self.get(name)
        return resource.current if resource else 0

    def change(self, event: ResourceChanged) -> None:
        known = self.get(event.resource)
        before = known.recent if known is not None else ()
        recent = (*before, event) if before and _is_same_turn(before[-1], event) else (event,)
        self[event.resource] = Resource(event.after, event.maximum, event.spent, event.locked, recent)


def _is_same_turn(one: ResourceChanged, other: ResourceChanged) -> bool:
    return one.round == other.round and one.turn == other.turn


@dataclass(slots=True)
class Vital:
    """A pool that damage and healing change."""

    current: int
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a combatant: what it is, what caused it, when it began and when it ends."""

    ref: str
    source: str
    owner: str
    since: int
    until: Until | None
    level: int | None
    data: Data

    @property
    def name(self) -> str:
        return self.ref.rsplit(":", 1)[1]

    @classmethod
    def of(cls, event: ConditionApplied) -> Condition:
        return cls(event.condition, event.source, event.owner, event.seq, event.until, event.level, event.data)


@dataclass(slots=True)
class Combatant:
    id: str
    name: str
    side: str
    controller: Controller
    position: Position | None
    sheet: Data
    vitals: dict[str, Vital]
    economy: Economy
    policies: dict[str, Policy]
    conditions: dict[str, Condition] = field(default_factory=dict)
    """By ref. A combatant has each condition only once; applying it again replaces the older one."""
    granted: dict[str, ActionGranted] = field(default_factory=dict)
    """Granted actions by the id of their grant, oldest first."""
    piles: dict[str, list[str]] = field(default_factory=dict)
    """Cards by the name of their pile, the top one first."""
    present: bool = True
    home: str = ""
    """The side that it joined on, even if it fights for another side now."""
    view: Any = field(default=None, compare=False)
    """The ruleset's parsed form of the sheet, cached here and never stored."""

    @classmethod
    def of(cls, event: CombatantJoined) -> Combatant:
        return cls(
            id=event.combatant,
            name=event.name,
            side=event.side,
            controller=event.controller,
            position=event.position,
            sheet=event.sheet,
            vitals={name: Vital(gauge.current, gauge.maximum) for name, gauge in event.vitals.items()},
            economy=Economy.of(event.resources),
            policies=dict(event.policies),
            home=event.side,
        )

    def move_cards(self, event: CardsMoved) -> None:
        if event.origin is not None:
            for card in event.cards:
                self.piles[event.origin].remove(card)
        if event.to is not None:
            self.piles.setdefault(event.to, []).extend(event.cards)

    def pile(self, name: str) -> tuple[str, ...]:
        return tuple(self.piles.get(name, ()))

    def pools(self) -> dict[str, Vital]:
        """The vitals worth showing: all but those that are empty and have no upper bound."""
        return {name: vital for name, vital in self.vitals.items() if vital.current or vital.maximum}

    def has(self, condition: str) -> bool:
        return condition in self.conditions

    def granted_actions(self, action: str) -> list[ActionGranted]:
        return [grant for grant in self.granted.values() if grant.action == action] if self.granted else []
