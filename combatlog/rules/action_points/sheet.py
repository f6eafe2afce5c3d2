"""Character sheets: the data of a combatant and the values derived from it."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, model_validator

from combatlog.rules.action_points.economy_and_vitality import FAT, VIT, starting_resources
from combatlog.rules.action_points.equipment import (
    ITEMS,
    PACKAGE,
    SPELLS,
    ActionPointsSpell,
    ActionPointsWeapon,
    Armour,
    CarriedShield,
    DamageClass,
    Gear,
    Item,
    Name,
    OwnItem,
    OwnSpell,
    StrictModel,
    WornProtection,
)
from combatlog.rules.action_points.tables_and_formulas import SKILL_BASE, maximum_ap, maximum_fat, maximum_vit
from combatlog.rules.content.files import shipped_file
from combatlog.rules.engine.options_and_validation import sheet_as, validated
from combatlog.rules.engine.refusal import choices
from ledger.events import Controller, Data, Gauge
from projections.battle.combatant import Combatant


class Attribute(StrEnum):
    STR = "str"
    DEX = "dex"
    END = "end"
    INT = "int"
    PER = "per"
    WIL = "wil"


class ActionPointsSkill(StrictModel):
    attribute: Attribute
    level: int = Field(ge=0, le=50)


def _tag(entry: Any) -> str:
    return "own" if isinstance(entry, dict | OwnSpell | OwnItem) else "known"


SpellEntry = Annotated[Annotated[Name, Tag("known")] | Annotated[OwnSpell, Tag("own")], Discriminator(_tag)]
"""The name of a spell of the ruleset, or the sheet's own spell."""
ItemEntry = Annotated[
    Annotated[int, Field(ge=1, le=99), Tag("known")] | Annotated[OwnItem, Tag("own")], Discriminator(_tag)
]
"""The count of an item of the ruleset, or the sheet's own item."""


class ActionPointsSheet(StrictModel):
    name: str = Field(min_length=1, max_length=60)
    attributes: dict[Attribute, Annotated[int, Field(ge=3, le=30)]]
    skills: dict[Name, ActionPointsSkill] = Field(default_factory=dict)
    weapons: tuple[ActionPointsWeapon, ...] = ()
    shield: CarriedShield | None = None
    armour: tuple[Armour, ...] = Field(default=(), max_length=5, description="the outermost piece first")
    gear: tuple[Gear, ...] = ()
    damage_class: DamageClass = 1
    spells: tuple[SpellEntry, ...] = ()
    items: dict[Name, ItemEntry] = Field(default_factory=dict)
    controller: Controller = Controller.PLAYER

    @model_validator(mode="before")
    @classmethod
    def _look_up_names(cls, data: Any) -> Any:
        """Look up weapons, armour and shields given by name, and known skills given by their level alone."""
        if not isinstance(data, dict):
            return data
        looked_up = dict(data)
        for field, what, known in (("weapons", "weapon", KNOWN_WEAPONS), ("armour", "armour", KNOWN_ARMOUR)):
            if isinstance(data.get(field), list | tuple):
                looked_up[field] = [_known(what, known, entry) for entry in data[field]]
        if "shield" in data:
            looked_up["shield"] = _shield(data["shield"])
        if isinstance(data.get("skills"), dict):
            looked_up["skills"] = {name: _skill(name, entry) for name, entry in data["skills"].items()}
        return looked_up

    @model_validator(mode="after")
    def _complete(self) -> ActionPointsSheet:
        for attribute in Attribute:
            if attribute not in self.attributes:
                raise ValueError(f"the attribute {attribute.value!r} is missing")
        _refuse_unknown("spell", [entry for entry in self.spells if isinstance(entry, str)], SPELLS)
        _refuse_unknown("item", [name for name, entry in self.items.items() if isinstance(entry, int)], ITEMS)
        _refuse_twice("weapon", [weapon.name for weapon in self.weapons])
        _refuse_twice("piece of equipment", [*self.items, *(worn.name for worn in self.protections)])
        _refuse_twice("spell", [_name_of(entry) for entry in self.spells])
        return self

    @model_validator(mode="after")
    def _knows_skills(self) -> ActionPointsSheet:
        for entry in self.spells:
            if isinstance(entry, OwnSpell) and self.skill(entry.skill) is None:
                raise ValueError(
                    f"the spell {entry.name!r} is cast with {entry.skill!r}, which is not a skill of this sheet"
                )
        return self

    @cached_property
    def grimoire(self) -> dict[str, ActionPointsSpell]:
        """Its spells by name: its own and those of the ruleset."""
        return {_name_of(entry): SPELLS[entry] if isinstance(entry, str) else entry for entry in self.spells}

    @cached_property
    def bag(self) -> dict[str, Item]:
        """Its items by name: its own and those of the ruleset."""
        return {name: ITEMS[name] if isinstance(entry, int) else entry for name, entry in self.items.items()}

    @property
    def protections(self) -> tuple[WornProtection, ...]:
        """Its shield and armour."""
        return (*([self.shield] if self.shield else []), *self.armour)

    @property
    def total_skill_levels(self) -> int:
        return sum(skill.level for skill in self.skills.values())

    def skill(self, name: str) -> ActionPointsSkill | None:
        """A skill; at level 0 if the sheet does not have it, None if it does not exist."""
        attribute = KNOWN_SKILLS.get(name)
        return self.skills.get(name) or (
            ActionPointsSkill(attribute=Attribute(attribute), level=0) if attribute else None
        )

    def vitals(self) -> dict[str, Gauge]:
        scores = self.attributes
        fat = maximum_fat(scores[Attribute.END], scores[Attribute.WIL])
        vit = maximum_vit(scores[Attribute.STR])
        return {FAT: Gauge(current=fat, maximum=fat), VIT: Gauge(current=vit, maximum=vit)}

    def resources(self) -> dict[str, Gauge]:
        items = {name: entry if isinstance(entry, int) else entry.count for name, entry in self.items.items()}
        return (
            starting_resources(maximum_ap(self.total_skill_levels))
            | {name: Gauge(current=count) for name, count in items.items()}
            | {worn.name: Gauge(current=worn.durability, maximum=worn.durability) for worn in self.protections}
        )

    def ability(self, name: str) -> int | None:
        """The ability score before modifiers."""
        skill = self.skill(name)
        return self.attributes[skill.attribute] + skill.level + SKILL_BASE if skill else None


KNOWN_SKILLS: dict[str, str] = shipped_file(PACKAGE, "skills")
KNOWN_WEAPONS: dict[str, Data] = shipped_file(PACKAGE, "weapons")
KNOWN_ARMOUR: dict[str, Data] = shipped_file(PACKAGE, "armour")
KNOWN_SHIELDS: dict[str, Data] = shipped_file(PACKAGE, "shields")
PLAIN_SHIELD = "shield"


def _skill(name: str, entry: Any) -> Any:
    if not isinstance(entry, int):
        return entry
    if name not in KNOWN_SKILLS:
        raise ValueError(f"{name!r} is not a skill of the ruleset; give its attribute and level")
    return {"attribute": KNOWN_SKILLS[name], "level": entry}


def _known(what: str, known: dict[str, Data], entry: Any) -> Any:
    if not isinstance(entry, str):
        return entry
    if entry not in known:
        raise ValueError(f"there is no {what} {entry!r}; describe it, or use {choices(sorted(known))}")
    return {"name": entry, **known[entry]}


def _shield(entry: Any) -> Any:
    """Look up a shield; `shield: true` means a plain one."""
    if isinstance(entry, bool):
        return _shield(PLAIN_SHIELD) if entry else None
    return _known("shield", KNOWN_SHIELDS, entry)


def _name_of(entry: str | OwnSpell) -> str:
    return entry if isinstance(entry, str) else entry.name


def _refuse_twice(what: str, names: list[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"the {what} {name!r} is listed twice")


def _refuse_unknown(what: str, names: Any, known: Any) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"there is no {what} {name!r}; use {choices(sorted(known))}")


def check_weapon(name: str, entry: Data) -> None:
    validated(ActionPointsWeapon, {"name": name, **entry}, "weapon/invalid", "The weapon's")


def check_armour(name: str, entry: Data) -> None:
    validated(Armour, {"name": name, **entry}, "armour/invalid", "The armour's")


def read_sheet(data: Data) -> ActionPointsSheet:
    return validated(ActionPointsSheet, data, "sheet/invalid", "The sheet's")


def sheet_of(combatant: Combatant) -> ActionPointsSheet:
    """The sheet of a combatant in the fight, parsed once."""
    return sheet_as(ActionPointsSheet, combatant)
