"""Weapons and suits of armour, and the weapons of monks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from combatlog.rules.content.files import shipped_file
from combatlog.rules.dnd5e.enums import AbilityScore, Armor, DamageType, WeaponCategory, WeaponProperty
from combatlog.rules.engine.dice.dice_notation import ExplodingFate, parse
from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.engine.refusal import Refusal, choices
from ledger.events import Data


class SheetPart(BaseModel):
    """A part of a sheet."""

    model_config = ConfigDict(frozen=True, extra="forbid")


PACKAGE = "combatlog.rules.dnd5e"
UNARMED = "unarmed strike"
KNOWN_BY_NAME = ("category", "versatile")
"""Properties that are looked up by a weapon's name and not written to sheets."""


class ExtraDamage(SheetPart):
    """Additional damage of another type on every hit with a weapon."""

    damage: str = Field(description="dice notation")
    damage_type: DamageType

    @field_validator("damage")
    @classmethod
    def _is_dice(cls, damage: str) -> str:
        return damage_dice(damage)


class Weapon(SheetPart):
    """A weapon to strike, shoot or throw with."""

    name: str = Field(min_length=1, max_length=40)
    damage: str = Field(description="dice notation, without the ability modifier")
    damage_type: DamageType
    properties: tuple[WeaponProperty, ...] = ()
    reach: int = Field(default=5, ge=5, le=60)
    range: tuple[int, int] | None = Field(default=None, description="normal and long, in feet")
    bonus: int = Field(default=0, ge=-5, le=5, description="magic bonus to hit and damage")
    to_hit: int | None = Field(
        default=None, ge=-5, le=30, description="the printed bonus to hit; the damage is then used as printed, too"
    )
    extra: tuple[ExtraDamage, ...] = Field(default=(), max_length=4, description="damage of other types on every hit")
    magical: bool = Field(default=False, description="whether its hits count as magical; always with a magic bonus")
    silvered: bool = False
    adamantine: bool = False
    category: WeaponCategory | None = Field(default=None, description="the proficiency it requires; none if omitted")
    versatile: str | None = Field(default=None, description="the damage in two hands, in dice notation")
    bloodied: str | None = Field(
        default=None,
        description="its damage once its owner is at half of its hit points or below, as for a swarm",
    )
    ammunition: int | None = Field(default=None, ge=0, le=1000, description="number of shots; not counted if omitted")
    quantity: int | None = Field(
        default=None, ge=1, le=100, description="how many there are to throw; by default, as many as the sheet lists"
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
        """The proficiency that it requires, if any."""
        return self.category or (WeaponCategory(found) if (found := self._known.get("category")) else None)

    @cached_property
    def in_two_hands(self) -> Weapon | None:
        """A versatile weapon as used with both hands."""
        damage = self.versatile or self._known.get("versatile")
        if damage is None or WeaponProperty.TWO_HANDED in self.properties:
            return None
        others = (own for own in self.properties if own is not WeaponProperty.VERSATILE)
        held = {"damage": damage, "properties": (*others, WeaponProperty.TWO_HANDED), "category": self.training}
        return self.model_copy(update=held)

    @cached_property
    def _known(self) -> Data:
        """The shipped data of a weapon of this name, unless its damage differs. Recorded sheets lack these."""
        known: Data = shipped_file(PACKAGE, "weapons").get(self.name, {})
        return known if known.get("damage") == self.damage else {}

    @cached_property
    def ref(self) -> str:
        return f"dnd5e:weapon:{self.name.lower().replace(' ', '_')}"


def damage_dice(text: str) -> str:
    """Check dice notation for damage: it is rolled together with other dice, so each face has to be a number."""
    try:
        notation = parse(text)
    except Refusal as refusal:
        raise ValueError(refusal.sentence) from refusal
    if isinstance(notation, ExplodingFate):
        raise ValueError(f"damage cannot explode, as {text!r} does; write dice such as 2d6+1")
    if not all(isinstance(face, int) for die in notation.dice for face in die.faces):
        raise ValueError(f"damage has to be a number, but {text!r} shows symbols; write dice such as 2d6+1")
    return text


def weapon(name: str) -> Data:
    known: dict[str, Data] = shipped_file(PACKAGE, "weapons")
    if name not in known:
        raise ValueError(f"there is no weapon {name!r}; describe it, or choose {choices(sorted(known))}")
    return {"name": name, **{key: value for key, value in known[name].items() if key not in KNOWN_BY_NAME}}


def described(entry: Any) -> Any:
    """The description of a weapon given by name, or by name with some fields changed, such as the quantity."""
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
"""Any object at hand. Every combatant can strike with it or throw it."""


def check_weapon(name: str, entry: Data) -> None:
    validated(Weapon, {"name": name, **entry}, "weapon/invalid", "The weapon's")


MARTIAL_ARTS = "martial_arts"
CLUMSY = {WeaponProperty.HEAVY, WeaponProperty.TWO_HANDED}


def is_monk_weapon(weapon: Weapon) -> bool:
    """A shortsword, or a simple melee weapon that is neither heavy nor two-handed."""
    if weapon.is_ranged or not CLUMSY.isdisjoint(weapon.properties):
        return False
    return weapon.name == "shortsword" or weapon.training is WeaponCategory.SIMPLE


def practised(weapon: Weapon, level: int) -> Weapon:
    """A weapon in a monk's hands: uses Dexterity and the martial arts die where they are better."""
    if not weapon.is_unarmed and not is_monk_weapon(weapon):
        return weapon
    die = f"1d{martial_arts_die(level)}"
    properties = tuple(dict.fromkeys((*weapon.properties, WeaponProperty.FINESSE)))
    better = {name: die for name in ("damage", "versatile") if _is_less(_dice(weapon, name), die)}
    category = {"category": weapon.training}  # with another die, it is no longer found by name
    return Weapon.model_validate({**weapon.model_dump(), "properties": properties, **category, **better})


def martial_arts_die(level: int) -> int:
    return 4 if level < 5 else 6 if level < 11 else 8 if level < 17 else 10


def _dice(weapon: Weapon, name: str) -> str | None:
    both = weapon.in_two_hands
    return weapon.damage if name == "damage" else both.damage if both is not None else None


def _is_less(dice: str | None, other: str) -> bool:
    return dice is not None and parse(dice).average < parse(other).average


ARMOR_PACKAGE = "combatlog.rules.dnd5e"
UNARMORED = 10
SHIELD = 2
MOST_DEXTERITY = {Armor.MEDIUM: 2}
"""The highest Dexterity modifier that counts. Light armour has no limit, heavy armour ignores it."""


class Suit(SheetPart):
    """A suit of armour."""

    name: str = Field(min_length=1, max_length=40)
    category: Armor
    ac: int = Field(ge=10, le=20, description="the armour class it gives, before Dexterity")
    strength: int | None = Field(
        default=None, ge=1, le=30, description="the Strength below which its wearer is 10 feet slower"
    )
    noisy: bool = Field(default=False, description="disadvantage on Stealth checks")
    bonus: int = Field(default=0, ge=-3, le=3, description="magic bonus to armour class")

    def armor_class(self, dexterity: int) -> int:
        """The armour class. Heavy armour ignores the Dexterity modifier, even a negative one."""
        if self.category is Armor.HEAVY:
            return self.ac + self.bonus
        return self.ac + self.bonus + min(dexterity, MOST_DEXTERITY.get(self.category, dexterity))


def suit_named(name: str) -> Data:
    known: dict[str, Data] = shipped_file(ARMOR_PACKAGE, "armor")
    if name not in known:
        names = [*(kind.value for kind in Armor), *sorted(known)]
        raise ValueError(f"there is no armour {name!r}; describe it, or choose {choices(names)}")
    return {"name": name, **known[name]}


def dressed(data: Data) -> Data:
    """The data of a sheet, with the suit that `armor` names or describes, its category and its armour class."""
    said = data.get("armor")
    if isinstance(said, dict):
        data = {**data, "suit": said, "armor": said.get("category", Armor.NONE)}
    elif isinstance(said, str) and said not in list(Armor):
        suit = suit_named(said)
        data = {**data, "suit": suit, "armor": suit["category"]}
    return data if "ac" in data else _with_armor_class(data)


def _with_armor_class(data: Data) -> Data:
    """Compute the armour class if possible. If not, validation will report what is missing."""
    scores, suit = data.get("abilities"), data.get("suit")
    if not isinstance(scores, dict) or (suit is None and data.get("armor", Armor.NONE) != Armor.NONE):
        return data
    try:
        worn = Suit.model_validate(suit) if suit is not None else None
        return {
            **data,
            "ac": _armor_class(data, {name: (int(score) - 10) // 2 for name, score in scores.items()}, worn),
        }
    except (TypeError, ValueError, KeyError):
        return data


def _armor_class(data: Data, modifiers: dict[str, int], worn: Suit | None) -> int:
    """A shield takes the Wisdom bonus away: only a monk's unarmoured defence uses Wisdom, and it allows no shield."""
    shield = SHIELD if data.get("shield") else 0
    if worn is not None:
        return worn.armor_class(modifiers["dex"]) + shield
    added: Any = data.get("unarmored_defense")
    is_defended = added and not (added == AbilityScore.WIS and shield)
    return UNARMORED + modifiers["dex"] + (modifiers[added] if is_defended else 0) + shield
