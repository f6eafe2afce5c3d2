"""Weapons: what sheets and packs say about them, and what their names say."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pydantic import Field, field_validator

from combatlog.rules.content.shipped import shipped_file
from combatlog.rules.dnd5e.sheet_part import Part
from combatlog.rules.dnd5e.words import DamageType, WeaponCategory, WeaponProperty
from combatlog.rules.engine.dice import ExplodingFate, parse
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.validation import validated
from ledger.events import Data

PACKAGE = "combatlog.rules.dnd5e"
UNARMED = "unarmed strike"
KNOWN_BY_NAME = ("category", "versatile")
"""What a weapon's name says about it, so that no sheet has to."""


class ExtraDamage(Part):
    """Damage of another type that every hit with a weapon deals as well."""

    damage: str = Field(description="dice notation")
    damage_type: DamageType

    @field_validator("damage")
    @classmethod
    def _is_dice(cls, damage: str) -> str:
        return damage_dice(damage)


class Weapon(Part):
    """Something to strike, shoot or throw with."""

    name: str = Field(min_length=1, max_length=40)
    damage: str = Field(description="dice notation, without the ability modifier")
    damage_type: DamageType
    properties: tuple[WeaponProperty, ...] = ()
    reach: int = Field(default=5, ge=5, le=60)
    range: tuple[int, int] | None = Field(default=None, description="normal and long, in feet")
    bonus: int = Field(default=0, ge=-5, le=5, description="magic bonus to hit and damage")
    to_hit: int | None = Field(
        default=None, ge=-5, le=30, description="the bonus to hit as printed; its damage is then taken as printed, too"
    )
    extra: tuple[ExtraDamage, ...] = Field(default=(), max_length=4, description="damage of other types on every hit")
    magical: bool = Field(default=False, description="whether its hits count as magical; a magic bonus makes them so")
    silvered: bool = False
    adamantine: bool = False
    category: WeaponCategory | None = Field(default=None, description="what proficiency it takes; none if omitted")
    versatile: str | None = Field(default=None, description="the damage in two hands, in dice notation")
    bloodied: str | None = Field(
        default=None,
        description="its damage once its owner has half of its hit points or fewer, as for a swarm",
    )
    ammunition: int | None = Field(default=None, ge=0, le=1000, description="how many shots; not counted if omitted")
    quantity: int | None = Field(
        default=None, ge=1, le=100, description="how many there are to throw; by default as often as the sheet lists it"
    )

    @field_validator("damage", "versatile", "bloodied")
    @classmethod
    def _is_dice(cls, damage: str | None) -> str | None:
        return damage_dice(damage) if damage is not None else None

    @property
    def is_magical(self) -> bool:
        return self.magical or self.bonus > 0

    @cached_property
    def is_ranged(self) -> bool:
        """Whether it is a ranged weapon, as opposed to a melee weapon that can be thrown."""
        return self.range is not None and WeaponProperty.THROWN not in self.properties

    @cached_property
    def farthest(self) -> int:
        return max(self.reach, self.range[1] if self.range else 0)

    @property
    def is_unarmed(self) -> bool:
        return self.name == UNARMED

    @cached_property
    def training(self) -> WeaponCategory | None:
        """What proficiency it takes; None: none."""
        return self.category or (WeaponCategory(found) if (found := self._known.get("category")) else None)

    @cached_property
    def in_two_hands(self) -> Weapon | None:
        """A versatile weapon as it is held in both hands."""
        damage = self.versatile or self._known.get("versatile")
        if damage is None or WeaponProperty.TWO_HANDED in self.properties:
            return None
        others = (own for own in self.properties if own is not WeaponProperty.VERSATILE)
        held = {"damage": damage, "properties": (*others, WeaponProperty.TWO_HANDED), "category": self.training}
        return self.model_copy(update=held)

    @cached_property
    def _known(self) -> Data:
        """What is known about it by name, unless it is another weapon of this name. Recorded sheets do not say it."""
        known: Data = shipped_file(PACKAGE, "weapons").get(self.name, {})
        return known if known.get("damage") == self.damage else {}

    @cached_property
    def ref(self) -> str:
        return f"dnd5e:weapon:{self.name.lower().replace(' ', '_')}"


def damage_dice(text: str) -> str:
    """Dice that damage can consist of. It is rolled together with other dice, and each face is so many points."""
    try:
        notation = parse(text)
    except Refusal as refusal:
        raise ValueError(refusal.sentence) from refusal
    if isinstance(notation, ExplodingFate):
        raise ValueError(f"damage cannot explode, as {text!r} does; write dice such as 2d6+1")
    if not all(isinstance(face, int) for die in notation.dice for face in die.faces):
        raise ValueError(f"damage is a number, and {text!r} shows symbols; write dice such as 2d6+1")
    return text


def weapon(name: str) -> Data:
    known: dict[str, Data] = shipped_file(PACKAGE, "weapons")
    if name not in known:
        raise ValueError(f"there is no weapon {name!r}; describe it, or choose {choices(sorted(known))}")
    return {"name": name, **{key: value for key, value in known[name].items() if key not in KNOWN_BY_NAME}}


def described(entry: Any) -> Any:
    """A weapon by name; or with a name and what is special about it, such as how many there are to throw."""
    if isinstance(entry, str):
        return weapon(entry)
    if isinstance(entry, dict) and "damage" not in entry and entry.get("name") in shipped_file(PACKAGE, "weapons"):
        return {**weapon(entry["name"]), **entry}
    return entry


UNARMED_STRIKE = Weapon.model_validate(weapon(UNARMED))
IMPROVISED_WEAPON = Weapon(
    name="improvised weapon",
    damage="1d4",
    damage_type=DamageType.BLUDGEONING,
    properties=(WeaponProperty.THROWN,),
    range=(20, 60),
    category=WeaponCategory.IMPROVISED,
)
"""Whatever lies about: everybody can take it and strike with it, or throw it."""


def check_weapon(name: str, entry: Data) -> None:
    validated(Weapon, {"name": name, **entry}, "weapon/invalid", "The weapon's")
