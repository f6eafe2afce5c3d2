"""Character and creature sheets: what a combatant is made from, and what follows from it."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ledger.events import Controller, Data
from projections.combatant import Combatant
from rules.refusal import Refusal

Score = Annotated[int, Field(ge=1, le=30)]


class AbilityScore(StrEnum):
    STR = "str"
    DEX = "dex"
    CON = "con"
    INT = "int"
    WIS = "wis"
    CHA = "cha"


class Nature(StrEnum):
    """Characters fall unconscious at 0 hit points, monsters die."""

    CHARACTER = "character"
    MONSTER = "monster"


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Abilities(Part):
    str: Score
    dex: Score
    con: Score
    int: Score
    wis: Score
    cha: Score


class Weapon(Part):
    name: str = Field(min_length=1, max_length=40)
    damage: str = Field(description="dice notation, without the ability modifier")
    damage_type: str
    properties: tuple[str, ...] = ()
    reach: int = Field(default=5, ge=5, le=30)
    range: tuple[int, int] | None = Field(default=None, description="normal and long, in feet")
    bonus: int = Field(default=0, ge=-5, le=5, description="magic: to hit and to damage")

    @property
    def is_ranged(self) -> bool:
        """A ranged weapon, as against a melee weapon that can also be thrown."""
        return self.range is not None and "thrown" not in self.properties


class Sheet(Part):
    name: str = Field(min_length=1, max_length=60)
    nature: Nature
    level: int = Field(default=1, ge=1, le=20)
    abilities: Abilities
    ac: int = Field(ge=1, le=30, description="armour and shield included")
    hp: int = Field(ge=1, le=1000)
    speed: int = Field(default=30, ge=0, le=200, multiple_of=5)
    proficiency: int | None = Field(default=None, ge=2, le=9, description="None: by level")
    shield: bool = False
    weapons: tuple[Weapon, ...] = ()
    features: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _look_up_weapons(cls, data: Any) -> Any:
        """A weapon may be named instead of described."""
        if isinstance(data, dict) and isinstance(data.get("weapons"), list | tuple):
            weapons = [weapon(entry) if isinstance(entry, str) else entry for entry in data["weapons"]]
            return {**data, "weapons": weapons}
        return data

    @model_validator(mode="after")
    def _refuse_duplicates(self) -> Sheet:
        for what, names in (("weapon", [w.name for w in self.weapons]), ("feature", list(self.features))):
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                raise ValueError(f"{what} {sorted(twice)[0]!r} is there twice")
        return self

    @property
    def controller(self) -> Controller:
        return Controller.PLAYER if self.nature is Nature.CHARACTER else Controller.GM

    @property
    def proficiency_bonus(self) -> int:
        return self.proficiency if self.proficiency is not None else 2 + (self.level - 1) // 4

    def modifier(self, score: AbilityScore) -> int:
        return (cast(int, getattr(self.abilities, score)) - 10) // 2


def read_sheet(data: Data) -> Sheet:
    try:
        return Sheet.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "sheet"
        found = "" if first["type"] == "missing" else f" (found {first['input']!r})"
        message = first["msg"].removeprefix("Value error, ")
        raise Refusal("sheet/invalid", f"The sheet's {field} is not right: {message.lower()}{found}.") from error


def sheet_of(combatant: Combatant) -> Sheet:
    """The sheet of somebody in the fight; read once."""
    if combatant.view is None:
        combatant.view = Sheet.model_validate(combatant.sheet)
    return cast(Sheet, combatant.view)


@cache
def shipped_weapons() -> dict[str, Data]:
    return cast(dict[str, Data], _load("weapons.yaml"))


def weapon(name: str) -> Data:
    known = shipped_weapons()
    if name not in known:
        raise ValueError(f"there is no weapon {name!r}; describe it, or use one of {', '.join(sorted(known))}")
    return {"name": name, **known[name]}


@cache
def shipped_sheets() -> dict[str, Data]:
    folder = files("rules.dnd5e") / "data" / "sheets"
    return {
        entry.name.removesuffix(".yaml"): _parse(entry.read_text("utf-8"))
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".yaml")
    }


def _load(name: str) -> Any:
    return _parse((files("rules.dnd5e") / "data" / name).read_text("utf-8"))


def _parse(text: str) -> Any:
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
