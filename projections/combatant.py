"""One combatant: where it is, how it is doing, its conditions, and what it may do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ledger.events import (
    ActionGranted,
    CardsMoved,
    CombatantJoined,
    ConditionApplied,
    Controller,
    Data,
    Policy,
    Position,
    Until,
)
from projections.economy import Economy


@dataclass(slots=True)
class Vital:
    """A pool that damage and healing change."""

    current: int
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a combatant has: what it is, where it came from, since when and until when."""

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
    """By ref. A combatant has each condition once; when it is applied again, the newer one replaces the older."""
    granted: dict[str, ActionGranted] = field(default_factory=dict)
    """Granted actions by the id of their grant, oldest first."""
    piles: dict[str, list[str]] = field(default_factory=dict)
    """Cards by the name of their pile, the top one first."""
    present: bool = True
    home: str = ""
    """The side that it joined on, whichever it fights for now."""
    view: Any = field(default=None, compare=False)
    """The ruleset's own view of the sheet, kept here so that it is parsed once. Never stored."""

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
        """The vitals worth showing: not those that are empty and have no upper bound."""
        return {name: vital for name, vital in self.vitals.items() if vital.current or vital.maximum}

    def has(self, condition: str) -> bool:
        return condition in self.conditions

    def granted_actions(self, action: str) -> list[ActionGranted]:
        return [grant for grant in self.granted.values() if grant.action == action] if self.granted else []
