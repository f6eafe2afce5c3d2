"""How monks use their fists and simple weapons."""

from __future__ import annotations

from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.words import WeaponCategory, WeaponProperty
from combatlog.rules.engine.dice import parse

MARTIAL_ARTS = "martial_arts"
CLUMSY = {WeaponProperty.HEAVY, WeaponProperty.TWO_HANDED}


def is_monk_weapon(weapon: Weapon) -> bool:
    """A shortsword, or a simple melee weapon that is neither heavy nor two-handed."""
    if weapon.is_ranged or not CLUMSY.isdisjoint(weapon.properties):
        return False
    return weapon.name == "shortsword" or weapon.training is WeaponCategory.SIMPLE


def practised(weapon: Weapon, level: int) -> Weapon:
    """A weapon in a monk's hands: dexterity counts if it is better, and so does the martial arts die."""
    if not weapon.is_unarmed and not is_monk_weapon(weapon):
        return weapon
    die = f"1d{martial_arts_die(level)}"
    properties = tuple(dict.fromkeys((*weapon.properties, WeaponProperty.FINESSE)))
    better = {name: die for name in ("damage", "versatile") if _is_less(_dice(weapon, name), die)}
    category = {"category": weapon.training}  # another die no longer tells which weapon it is
    return Weapon.model_validate({**weapon.model_dump(), "properties": properties, **category, **better})


def martial_arts_die(level: int) -> int:
    return 4 if level < 5 else 6 if level < 11 else 8 if level < 17 else 10


def _dice(weapon: Weapon, name: str) -> str | None:
    both = weapon.in_two_hands
    return weapon.damage if name == "damage" else both.damage if both is not None else None


def _is_less(dice: str | None, other: str) -> bool:
    return dice is not None and parse(dice).average < parse(other).average
