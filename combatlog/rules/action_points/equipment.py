"""Weapons, shields, armour, gear, spells and items: data, and what follows from it alone."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from combatlog.rules.action_points.economy_and_vitality import queue_healing
from combatlog.rules.action_points.tables_and_formulas import SECONDS_PER_ROUND
from combatlog.rules.content.files import shipped_file
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Until, UntilMoment
from projections.battle.combatant import Combatant

Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[ _-][a-z0-9]+)*$", max_length=40)]
DamageClass = Annotated[int, Field(ge=1, le=4, description="its scale; each class is ten times the previous one")]
Rating = Annotated[int, Field(ge=0, le=20)]


class StrictModel(BaseModel):
    """Immutable data without undeclared fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ActionPointsDamageType(StrEnum):
    BASHING = "bashing"
    CUTTING = "cutting"
    PIERCING = "piercing"
    PROJECTILE = "projectile"
    ENERGY = "energy"
    HEAT = "heat"
    COLD = "cold"
    ACID = "acid"


class Harmful(StrictModel):
    """The effect of a weapon or spell on shields, armour and bodies."""

    damage_type: ActionPointsDamageType = Field(
        default=ActionPointsDamageType.CUTTING, description="armour may absorb more or less of some types"
    )
    piercing: int = Field(default=0, ge=0, le=20, description="how much of the absorption it ignores")
    damage_class: DamageClass = 1


class ActionPointsWeapon(Harmful):
    """A weapon: the skill it is used with, and how far it reaches or shoots."""

    name: Name
    skill: Name
    reach: int = Field(default=2, ge=1, le=10, description="metres")
    range: int | None = Field(default=None, ge=1, le=500, description="metres; none for a melee weapon")
    bonus: int = Field(default=0, ge=-5, le=5)
    cooldown: float | None = Field(
        default=None,
        ge=0,
        le=60,
        multiple_of=0.5,
        description="seconds between shots; by default, they depend on the skill level",
    )

    @property
    def is_melee(self) -> bool:
        return self.range is None

    @property
    def farthest(self) -> int:
        return self.range or self.reach


class WornProtection(StrictModel):
    """A piece of equipment that absorbs success value and wears out."""

    name: Name
    skill: Name
    absorption: Rating | dict[ActionPointsDamageType, Rating] = Field(
        description="the success value it absorbs, for all types of damage or by type"
    )
    durability: int = Field(ge=1, le=500, description="the success value it absorbs before it breaks")
    damage_class: DamageClass = 1

    def rating(self, damage_type: ActionPointsDamageType) -> int:
        return self.absorption if isinstance(self.absorption, int) else self.absorption.get(damage_type, 0)


class CarriedShield(WornProtection):
    """A shield, which absorbs attacks when it is raised."""

    skill: Name = "shield"


class Armour(WornProtection):
    """Armour, which absorbs attacks automatically if its check succeeds."""

    skill: Name = "armour"


class Gear(StrictModel):
    """Equipment that improves or hinders skills."""

    name: Name
    modifiers: dict[Name, int]


PACKAGE = "combatlog.rules.action_points"
MOST = 99
"""The most points, levels or rounds of an effect."""
FARTHEST = 500
"""The longest range, in metres."""


class HealEffect(StrictModel):
    """Adds points to a pool of pending healing."""

    does: Literal["heal"]
    pool: Literal["fat", "vit"]
    points: int = Field(ge=1, le=MOST)

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        queue_healing(table, target, self.pool, self.points, source.rsplit(":", 1)[1], source)


class ConditionEffect(StrictModel):
    """Applies a condition for some rounds, including the current one. A round takes 3 seconds."""

    does: Literal["affect"]
    condition: str
    level: int = Field(default=1, ge=1, le=MOST)
    rounds: int | None = Field(default=None, ge=1, le=MOST)
    seconds: int | None = Field(default=None, ge=1, le=MOST * SECONDS_PER_ROUND)

    @model_validator(mode="after")
    def _one_duration(self) -> ConditionEffect:
        if (self.rounds is None) == (self.seconds is None):
            raise ValueError("give either rounds or seconds")
        return self

    @property
    def lasts(self) -> int:
        """The duration in rounds; a partial round counts in full."""
        return self.rounds or -(-(self.seconds or 0) // SECONDS_PER_ROUND)

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        last = table.battle.clock.round + self.lasts - 1
        until = Until(moment=UntilMoment.ROUND_END, round=last)
        table.apply_condition(
            target, _condition(self.condition), source=source, owner=user.id, until=until, level=self.level
        )


class CureEffect(StrictModel):
    """Ends a condition, if the target has it."""

    does: Literal["cure"]
    condition: str

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        if target.has(_condition(self.condition)):
            table.remove_condition(target, _condition(self.condition), source.rsplit(":", 1)[1])


ContentEffect = Annotated[HealEffect | ConditionEffect | CureEffect, Field(discriminator="does")]


class OpposedTargetValue(StrictModel):
    """The target rolls this skill for the TV."""

    against: str = Field(min_length=1, max_length=40)


class ActionPointsSpell(Harmful):
    """A spell: the skill and the target value to cast it, its range, and what it does."""

    skill: str = Field(min_length=1, max_length=40)
    range: int = Field(ge=0, le=FARTHEST, description="metres")
    attack: bool = Field(
        default=False,
        description="whether it is an attack, with defences and damage",
    )
    tv: Annotated[int, Field(ge=-MOST, le=MOST)] | OpposedTargetValue | None = Field(
        default=None, description="the target value to cast it: a number, or an opposed roll"
    )
    effects: tuple[ContentEffect, ...] = Field(default=(), max_length=20)


class Item(StrictModel):
    """An item: what using it does. Using it needs no roll."""

    range: int = Field(default=1, ge=0, le=FARTHEST, description="metres to the target")
    effects: tuple[ContentEffect, ...] = Field(max_length=20)


class OwnSpell(ActionPointsSpell):
    """A spell described on a sheet."""

    name: str


class OwnItem(Item):
    """An item described on a sheet, with its count."""

    count: int = Field(ge=1, le=99)


def conditions_in(content: ActionPointsSpell | Item) -> list[str]:
    """The conditions that its effects apply or cure."""
    return [effect.condition for effect in content.effects if isinstance(effect, ConditionEffect | CureEffect)]


def _condition(name: str) -> str:
    return f"action_points:condition:{name}"


SPELLS = MappingProxyType(TypeAdapter(dict[str, ActionPointsSpell]).validate_python(shipped_file(PACKAGE, "spells")))
ITEMS = MappingProxyType(TypeAdapter(dict[str, Item]).validate_python(shipped_file(PACKAGE, "items")))
