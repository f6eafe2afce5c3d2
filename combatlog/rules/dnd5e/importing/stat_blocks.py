"""Import of a whole stat block into a sheet, with the result for each paragraph."""

from __future__ import annotations

import re
from typing import Any

from combatlog.importers.statblocks.stat_block import BlockOrigin, Paragraph, StatBlock, StatBlockPart
from combatlog.rules.content.bestiary import Creature
from combatlog.rules.dnd5e.creatures.sheet import Senses
from combatlog.rules.dnd5e.enums import PHYSICAL, Armor, CreatureType, DamageType, Size
from combatlog.rules.dnd5e.importing.actions_and_traits import SEARCH, add_ability, add_legendary
from combatlog.rules.dnd5e.importing.attacks import add_attack, is_attack
from combatlog.rules.dnd5e.importing.characters import hero_figures, note_classes
from combatlog.rules.dnd5e.importing.sheet_draft import SKILLS, SheetDraft
from combatlog.rules.dnd5e.importing.spellcasting import FindSpell, add_listed_spells, add_spellcasting, is_spellcasting
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, pieces_of
from ledger.events import Data

XP_BY_CR = {
    0: 10, 0.125: 25, 0.25: 50, 0.5: 100, 1: 200, 2: 450, 3: 700, 4: 1100, 5: 1800, 6: 2300, 7: 2900, 8: 3900, 9: 5000,
    10: 5900, 11: 7200, 12: 8400, 13: 10000, 14: 11500, 15: 13000, 16: 15000, 17: 18000, 18: 20000, 19: 22000,
    20: 25000, 21: 33000, 22: 41000, 23: 50000, 24: 62000, 25: 75000, 26: 90000, 27: 105000, 28: 120000, 29: 135000,
    30: 155000,
}  # fmt: skip
"""Experience points by challenge rating, for stat blocks without them."""
_HIT_DICE = (4, 6, 8, 10, 12, 20)
_ORDER = (
    StatBlockPart.ACTION,
    StatBlockPart.TRAIT,
    StatBlockPart.BONUS_ACTION,
    StatBlockPart.REACTION,
    StatBlockPart.LEGENDARY,
    StatBlockPart.LAIR,
)
_WORN = {
    Armor.HEAVY: ("plate", "splint", "chain mail", "ring mail"),
    Armor.MEDIUM: ("half plate", "breastplate", "scale", "chain shirt", "hide"),
    Armor.LIGHT: ("leather", "padded"),
}


def convert(block: StatBlock, origin: BlockOrigin, find: FindSpell) -> SheetDraft:
    """The sheet of a stat block, with spells looked up by `find`."""
    draft = SheetDraft(block, _basics(block, origin), find=find)
    paragraphs = sorted(block.paragraphs, key=lambda paragraph: _ORDER.index(paragraph.part))
    attacks = [paragraph for paragraph in paragraphs if _is_own_attack(paragraph)]
    for paragraph in attacks:
        add_attack(draft, paragraph)
    others = [paragraph for paragraph in paragraphs if paragraph not in attacks]
    for paragraph in sorted(others, key=lambda other: other.name.lower().startswith("multiattack")):
        if is_spellcasting(paragraph):
            add_spellcasting(draft, paragraph, find)
        elif _is_about_casting(paragraph) and block.spells:
            continue
        elif paragraph.part is StatBlockPart.LEGENDARY:
            add_legendary(draft, paragraph)
        else:
            add_ability(draft, paragraph)
    add_listed_spells(draft, find)
    note_classes(draft)
    _finish(draft)
    return draft


def _is_about_casting(paragraph: Paragraph) -> bool:
    """Whether a paragraph only explains spellcasting. The format lists the spells in fields."""
    return paragraph.part is StatBlockPart.TRAIT and paragraph.name.lower() in (
        "spellcasting",
        "pact magic",
        "innate spellcasting",
    )


def _is_own_attack(paragraph: Paragraph) -> bool:
    return paragraph.part in (StatBlockPart.ACTION, StatBlockPart.BONUS_ACTION) and is_attack(paragraph)


def _basics(block: StatBlock, origin: BlockOrigin) -> dict[str, Any]:
    sheet: dict[str, Any] = {
        "name": block.name[:60],
        "nature": "character" if block.is_character else "monster",
        "creature_type": _creature_type(block.type),
        "size": block.size if block.size in list(Size) else Size.MEDIUM.value,
        "abilities": {name: max(1, min(30, score)) for name, score in block.abilities.items()},
        "ac": max(1, min(30, block.ac)),
        "hp": max(1, min(1000, block.hp)),
        "speed": _speed(block),
        "save_bonuses": {name: value for name, value in block.saves.items() if name in block.abilities},
        "skill_bonuses": {name: value for name, value in block.skills.items() if name in SKILLS},
        "vulnerabilities": _types(block.vulnerabilities),
        **_defences("resistances", block.resistances),
        **_defences("immunities", block.immunities),
        "condition_immunities": [name for name in block.condition_immunities if name in pieces_of(Dnd5eCondition)],
        "source": origin.sentence[:1000],
        **_level(block),
        **_worth(block),
        **_worn(block),
        **_moving(block),
        **(hero_figures(block) if block.is_character else {}),
    }
    return {key: value for key, value in sheet.items() if value not in ([], {}, None)}


def _creature_type(printed: str) -> str:
    """The creature type in a printed one: a `swarm of tiny beasts` is of the type beast."""
    return next((kind.value for kind in CreatureType if kind.value in printed), CreatureType.HUMANOID.value)


def _speed(block: StatBlock) -> int:
    """Its walking speed. Other speeds are in a separate field."""
    walk = block.speeds.get("walk", 0)
    return min(200, walk - walk % 5)


def _moving(block: StatBlock) -> Data:
    """Speeds other than walking, and special senses."""
    others = {name: feet - feet % 5 for name, feet in block.speeds.items() if name != "walk" and feet >= 5}
    hovers = {"hover": True} if block.hover and "fly" in others else {}
    seen = {name: min(1000, block.senses.get(name, 0)) for name in Senses.model_fields}
    return {
        "speeds": others | hovers,
        "senses": {name: feet - feet % 5 for name, feet in seen.items() if feet},
    }


def _types(phrases: tuple[str, ...]) -> list[str]:
    return [kind.value for kind in DamageType if any(phrase.strip().lower() == kind.value for phrase in phrases)]


def _defences(name: str, phrases: tuple[str, ...]) -> Data:
    found: Data = {name: _types(phrases)}
    for phrase in (phrase.lower() for phrase in phrases):
        if "nonmagical" in phrase:
            limited = [kind.value for kind in PHYSICAL if kind.value in phrase]
            found[f"nonmagical_{name}"] = limited
            found |= {"except_silvered": True} if "silver" in phrase else {}
            found |= {"except_adamantine": True} if "adamantine" in phrase else {}
    return found


def _level(block: StatBlock) -> Data:
    """The level, which for monsters is the number of hit dice, and the size of the hit dice."""
    found = re.match(r"(\d+)d(\d+)", block.hit_dice)
    level = block.level or (int(found[1]) if found else 1)
    known: Data = {"level": max(1, min(20, level))}
    if found and int(found[2]) in _HIT_DICE and int(found[2]) != 8:
        known["hit_die"] = int(found[2])
    return known


def _worth(block: StatBlock) -> Data:
    if block.cr is None:
        return {} if block.proficiency is None else {"proficiency": block.proficiency}
    proficiency = block.proficiency or max(2, 2 + int(block.cr - 1) // 4)
    xp = block.xp if block.xp is not None else XP_BY_CR.get(block.cr)
    return {"cr": block.cr, "xp": xp, "proficiency": min(9, max(2, proficiency))}


def _worn(block: StatBlock) -> Data:
    text = ", ".join(block.armor)
    armor = next((kind.value for kind, names in _WORN.items() if any(name in text for name in names)), None)
    shield = {"shield": True} if "shield" in text else {}
    return ({"armor": armor} if armor else {}) | shield


def creature_of(block: StatBlock, id: str, origin: str) -> Creature:
    """A stat block as an entry of a list, without converting all of it."""
    return Creature(
        id=id,
        name=block.name,
        cr=block.cr,
        xp=_worth(block).get("xp"),
        type=_creature_type(block.type),
        size=block.size,
        ac=block.ac,
        hp=block.hp,
        origin=origin,
    )


def _finish(draft: SheetDraft) -> None:
    sheet = draft.sheet
    if sheet.pop("magic_weapons", False):
        sheet["weapons"] = [{**weapon, "magical": True} for weapon in draft.weapons]
    if sheet.get("spells") and "spellcasting" not in sheet:
        sheet.pop("spells")
    if "legendary" in sheet:  # the first possible one is the default, which should not be the search
        sheet["legendary"].sort(key=lambda entry: entry["name"] == SEARCH)
