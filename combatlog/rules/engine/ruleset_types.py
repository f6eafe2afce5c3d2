"""Values that rulesets and the engine exchange.

They are the entries of a menu and their prices, advice, previews of areas, defences against damage, the state of a
carried-over combatant, rests, and the sections of a pack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Data, Gauge, Position
from ledger.json_shapes import Documented
from projections.battle.combatant import Combatant


class Cost(BaseModel):
    """A resource that a choice uses up."""

    resource: str = Field(description="what is used up, as events name it: a resource, a pool, or a ref")
    amount: int
    words: str = Field(description="the same in words")


class Price(BaseModel):
    """One way to pay for a choice, and the options that select it."""

    options: Data = Field(default_factory=dict, description="the options of the answer; empty: the usual way")
    costs: list[Cost] = Field(description="empty: it is free")


def price(costs: Mapping[str, int], words: Callable[[str, int], str], options: Data | None = None) -> Price:
    listed = [Cost(resource=name, amount=amount, words=words(name, amount)) for name, amount in costs.items() if amount]
    return Price(options=options or {}, costs=listed)


class CaughtCombatant(BaseModel):
    """A combatant in an area."""

    who: str
    name: str
    friend: bool = Field(description="whether it is on the actor's side, or is the actor itself")


class AreaPreview(Documented, BaseModel):
    """What an area would cover if it were aimed at a square. The preview declares nothing."""

    who: str
    what: str = Field(description="the ref of the action")
    at: Position
    squares: list[Position]
    caught: list[CaughtCombatant]

    @property
    def friends(self) -> list[CaughtCombatant]:
        return [one for one in self.caught if one.friend]


def preview_area(
    actor: Combatant, what: str, at: Position, squares: Sequence[Position], caught: Iterable[Combatant]
) -> AreaPreview:
    found = [CaughtCombatant(who=one.id, name=one.name, friend=one.side == actor.side) for one in caught]
    return AreaPreview(who=actor.id, what=what, at=at, squares=list(squares), caught=found)


class Defence(StrEnum):
    RESISTANCE = "resistance"
    VULNERABILITY = "vulnerability"
    IMMUNITY = "immunity"


class CarriedCondition(BaseModel):
    """A condition that outlasts its fight, without its owner, who may not be in the next fight."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    condition: str = Field(max_length=200, description="the ref of the condition")
    source: str = Field(max_length=200, description="what it comes from")
    level: int | None = Field(default=None, description="its level, if it has levels")
    data: Data = Field(default_factory=dict, description="what the condition has to remember")


class Carried(BaseModel):
    """A combatant as it stood in an earlier fight."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fight: UUID = Field(description="the id of the earlier fight")
    seq: int = Field(ge=1, description="the last event of that fight that counts")
    combatant: str = Field(max_length=200, description="its id in that fight")
    vitals: dict[str, int] = Field(default_factory=dict, description="hit points and the like, by name")
    resources: dict[str, Gauge] = Field(default_factory=dict, description="slots, uses and items, by name")
    conditions: tuple[CarriedCondition, ...] = Field(default=(), description="the conditions that last")


class RestKind(StrEnum):
    SHORT = "short"
    LONG = "long"


class InReach(BaseModel):
    """A possible target of a choice."""

    who: str
    chance: float | None = Field(
        default=None, description="the chance to hit, or that the save fails; None if not known"
    )


class ChoiceEffect(BaseModel):
    """What a choice would do now, with one of its weapons or in one of its forms. In words, as the rules write it."""

    weapon: str | None = None
    to_hit: str | None = Field(default=None, description="the roll to hit, or the bonus to it")
    save: str | None = Field(default=None, description="the save against it, with its DC")
    damage: str | None = None
    healing: str | None = None
    condition: str | None = Field(default=None, description="the condition that it causes")
    range: str | None = None
    in_reach: list[InReach] | None = Field(
        default=None, description="its possible targets now; None if it takes no target"
    )


class Choice(BaseModel):
    """One entry of a combatant's menu."""

    name: str
    cost: str = ""
    note: str = ""
    why_not: str | None = Field(default=None, description="why it cannot be used now; None if it can")
    effects: list[ChoiceEffect] = Field(
        default_factory=list, description="its effects if used now; empty if it cannot be used"
    )


class ChoiceSection(Documented, BaseModel):
    """A part of a combatant's menu, such as its features."""

    title: str
    choices: list[Choice]


@dataclass(frozen=True, slots=True)
class PackSection:
    """A file of a pack: entries by name, which sheets can list in their field of the same name."""

    name: str
    about: str
    check: Callable[[str, Data], object]
    """Refuses an entry that cannot be used, given its name and its content."""
    forms: Mapping[str, Any]
    """The possible models of an entry, by archetype. `""`: all entries have the same fields."""
    of_encounter: bool = False
    """Whether its entries belong to the encounter, which is opened with them, rather than to sheets."""
    also_in: Mapping[str, str | None] = field(default_factory=dict)
    """Other fields of a sheet that list its entries: directly (None), or as objects that name them under a key."""


class Advice(Documented, BaseModel):
    """One choice of a combatant: whether it is recommended, why, and which resources it would leave."""

    choice: str
    recommended: bool
    why: str
    leaves: dict[str, int] = Field(
        default_factory=dict, description="the resources left after it, by name; empty if impossible"
    )
    score: float | None = Field(default=None, description="its score over all metrics; None if not measured")
    metrics: dict[str, float] = Field(default_factory=dict, description="the measurements, by metric")
