"""Weapons, shields, armour and gear: data, and what follows from it alone."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[ _-][a-z0-9]+)*$", max_length=40)]
DamageClass = Annotated[int, Field(ge=1, le=4, description="its scale; each class is ten times the one before")]
Rating = Annotated[int, Field(ge=0, le=20)]


class StrictModel(BaseModel):
    """Data that cannot be changed, and has no fields but those declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DamageType(StrEnum):
    BASHING = "bashing"
    CUTTING = "cutting"
    PIERCING = "piercing"
    PROJECTILE = "projectile"
    ENERGY = "energy"
    HEAT = "heat"
    COLD = "cold"
    ACID = "acid"


class Harmful(StrictModel):
    """What a weapon or spell does to shields, armour and bodies."""

    damage_type: DamageType = Field(default=DamageType.CUTTING, description="what armour may absorb more or less of")
    piercing: int = Field(default=0, ge=0, le=20, description="how much of the absorption it ignores")
    damage_class: DamageClass = 1


class Weapon(Harmful):
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
        description="seconds between shots; by default they follow from the skill level",
    )

    @property
    def is_melee(self) -> bool:
        return self.range is None

    @property
    def farthest(self) -> int:
        return self.range or self.reach


class Protection(StrictModel):
    """Something that absorbs success value, and wears out doing so."""

    name: Name
    skill: Name
    absorption: Rating | dict[DamageType, Rating] = Field(
        description="the success value it absorbs: of all types of damage, or by type"
    )
    durability: int = Field(ge=1, le=500, description="the success value it absorbs before it breaks")
    damage_class: DamageClass = 1

    def rating(self, damage_type: DamageType) -> int:
        return self.absorption if isinstance(self.absorption, int) else self.absorption.get(damage_type, 0)


class Shield(Protection):
    """A shield, which absorbs what it is raised against."""

    skill: Name = "shield"


class Armour(Protection):
    """Armour, which absorbs by itself if it is worn well."""

    skill: Name = "armour"


class Gear(StrictModel):
    """Equipment that improves or hinders skills."""

    name: Name
    modifiers: dict[Name, int]
