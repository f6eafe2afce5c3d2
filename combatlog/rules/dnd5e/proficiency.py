"""What somebody is trained in: weapons, armour and shields."""

from __future__ import annotations

from combatlog.rules.dnd5e.sheet import Sheet
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.words import Armor, ArmorTraining, WeaponCategory


def is_proficient(sheet: Sheet, weapon: Weapon) -> bool:
    """Whether its proficiency bonus counts with a weapon. Everybody is proficient with fists, claws and the like."""
    if weapon.training is None:
        return True
    if sheet.weapon_proficiencies is None:
        return weapon.training is not WeaponCategory.IMPROVISED
    return weapon.name in sheet.weapon_proficiencies or weapon.training in sheet.weapon_proficiencies


def untrained_armor(sheet: Sheet) -> str | None:
    """What it wears without being proficient in it, in words; it hampers its wearer."""
    trained = sheet.armor_proficiencies
    if trained is None:
        return None
    if sheet.armor is not Armor.NONE and ArmorTraining(sheet.armor.value) not in trained:
        return sheet.suit.name if sheet.suit is not None else f"{sheet.armor} armour"
    return "a shield" if sheet.shield and ArmorTraining.SHIELDS not in trained else None
