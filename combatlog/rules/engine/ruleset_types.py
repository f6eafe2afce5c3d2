"""Values that rulesets and the engine exchange.

They are the price of a choice, the preview of an area, a defence against damage, and the state of a carried-over
combatant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
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
