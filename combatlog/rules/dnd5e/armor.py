"""Suits of armour, and the armour class they give."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from combatlog.rules.content.shipped import shipped_file
from combatlog.rules.dnd5e.sheet_part import Part
from combatlog.rules.dnd5e.words import Armor
from combatlog.rules.engine.refusal import choices
from ledger.events import Data

PACKAGE = "combatlog.rules.dnd5e"
UNARMORED = 10
SHIELD = 2
MOST_DEXTERITY = {Armor.MEDIUM: 2}
"""How much of the dexterity modifier counts; light armour takes all of it, heavy armour none."""


class Suit(Part):
    """A suit of armour."""

    name: str = Field(min_length=1, max_length=40)
    category: Armor
    ac: int = Field(ge=10, le=20, description="the armour class it gives before dexterity")
    strength: int | None = Field(default=None, ge=1, le=30, description="with less, its wearer is 10 feet slower")
    noisy: bool = Field(default=False, description="disadvantage on Stealth checks")
    bonus: int = Field(default=0, ge=-3, le=3, description="magic bonus to armour class")

    def armor_class(self, dexterity: int) -> int:
        """Heavy armour makes the dexterity modifier irrelevant, even a negative one."""
        if self.category is Armor.HEAVY:
            return self.ac + self.bonus
        return self.ac + self.bonus + min(dexterity, MOST_DEXTERITY.get(self.category, dexterity))


def suit_named(name: str) -> Data:
    known: dict[str, Data] = shipped_file(PACKAGE, "armor")
    if name not in known:
        names = [*(kind.value for kind in Armor), *sorted(known)]
        raise ValueError(f"there is no armour {name!r}; describe it, or choose {choices(names)}")
    return {"name": name, **known[name]}


def dressed(data: Data) -> Data:
    """The data of a sheet whose `armor` names or describes a suit: the suit, its category and its armour class."""
    said = data.get("armor")
    if isinstance(said, dict):
        data = {**data, "suit": said, "armor": said.get("category", Armor.NONE)}
    elif isinstance(said, str) and said not in list(Armor):
        suit = suit_named(said)
        data = {**data, "suit": suit, "armor": suit["category"]}
    return data if "ac" in data else _with_armor_class(data)


def _with_armor_class(data: Data) -> Data:
    """Computed, if there is enough to compute it from: validation says what is missing."""
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
    shield = SHIELD if data.get("shield") else 0
    if worn is not None:
        return worn.armor_class(modifiers["dex"]) + shield
    added: Any = data.get("unarmored_defense")
    return UNARMORED + modifiers["dex"] + (modifiers[added] if added else 0) + shield
