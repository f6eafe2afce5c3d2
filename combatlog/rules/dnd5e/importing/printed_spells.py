"""Import of spells: the archetype of a printed spell, and its options."""

from __future__ import annotations

import re
from dataclasses import dataclass

from combatlog.importers.statblocks.stat_block import SpellBlock
from combatlog.rules.content.files import shipped_file
from combatlog.rules.dnd5e.archetypes.registry import ARCHETYPES
from combatlog.rules.dnd5e.creatures.sheet import PACKAGE
from combatlog.rules.dnd5e.enums import CreatureType, DamageType
from combatlog.rules.dnd5e.importing.sheet_draft import (
    ABILITIES,
    CHOSEN,
    HALVED,
    SAVED_AGAIN,
    MappingResult,
    as_throw,
    condition_in,
    extent_in,
    plain,
    printed_damages,
    sentences,
    slug,
)
from combatlog.rules.dnd5e.pieces import PIECES
from combatlog.rules.dnd5e.spells.casting import Spell as SpellPiece
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data

CASTINGS = {"action": "action", "bonus action": "bonus_action"}
_WHICH_SAVE = re.compile(rf"\b({'|'.join(ABILITIES)}) saving throw")
_POWER_WORD = re.compile(r"has (\d+) hit points or fewer, it (?:dies|is (\w+)|has the (\w+) condition)")
_HEALS = re.compile(r"regains? (?:a number of )?(?:hit points equal to )?(\d+d\d+)")


@dataclass(frozen=True, slots=True)
class ConvertedSpell:
    """The result of converting a spell."""

    entry: Data | str | None
    """A definition, the name of a piece of the ruleset, or None."""
    fate: MappingResult
    takes_long: bool = False
    """Whether it takes longer to cast than a turn and so is not for fights."""


def is_combat_spell(spell: SpellBlock) -> bool:
    """Whether it can be cast in a turn and causes harm, healing or a known condition."""
    if spell.casting_time not in ("action", "bonus action", "reaction"):
        return False
    if spell.attack or spell.save or spell.damage or spell.healing:
        return True
    text = plain(spell.text)
    if _POWER_WORD.search(text):
        return True
    return (
        bool(_WHICH_SAVE.search(text) and condition_in(text))
        or bool(printed_damages(text))
        or bool(_HEALS.search(text))
    )


NO_BEARING_SPELLS = frozenset(shipped_file(PACKAGE, "no_bearing_spells"))
"""Spells with a save whose effects cannot matter in a fight under these rules."""


def shipped_spell(name: str) -> ConvertedSpell | None:
    """A spell of the ruleset itself."""
    piece = PIECES.get(f"dnd5e:spell:{name}")
    if not isinstance(piece, SpellPiece):
        return None
    return ConvertedSpell(name, MappingResult.IN_PART if getattr(piece, "ask", None) else MappingResult.MAPPED)


def make_spell(spell: SpellBlock) -> ConvertedSpell:
    shipped = shipped_spell(slug(spell.name))
    if shipped is not None:
        return shipped
    if not is_combat_spell(spell) or slug(spell.name) in NO_BEARING_SPELLS:
        long = spell.casting_time not in (*CASTINGS, "reaction")
        return ConvertedSpell(_by_hand(spell), MappingResult.NO_BEARING, takes_long=long)
    options = _options(spell) if spell.casting_time in CASTINGS else None
    more = "" if options is not None and options["archetype"] == "power_word" else _goes_on(spell)
    asked = {**(options or {}), **({"ask": more[:4000]} if more else {})}
    if options is not None and (entry := _checked(spell, asked)) is not None:
        return ConvertedSpell(entry, MappingResult.IN_PART if more else MappingResult.MAPPED)
    return ConvertedSpell(_by_hand(spell), MappingResult.LEFT)


def _by_hand(spell: SpellBlock) -> Data | None:
    """A spell whose effect the GM decides; None if it cannot be cast on the caster's turn."""
    if spell.casting_time not in CASTINGS or not spell.text:
        return None
    options = {"archetype": "by_hand", "range": _range(spell), "text": spell.text[:4000]}
    return _checked(spell, options)


def _checked(spell: SpellBlock, options: Data) -> Data | None:
    entry = {"name": slug(spell.name), "level": spell.level, **options}
    if CASTINGS[spell.casting_time] != "action":
        entry["casting"] = CASTINGS[spell.casting_time]
    try:
        ARCHETYPES.made_from("spells", entry["name"], {key: entry[key] for key in entry if key != "name"})
    except Refusal:
        return None
    return entry


_LATER = re.compile(
    r"on (?:each of your|subsequent|later|your later) turns|(?:starts?|ends?) its turn (?:there|in)|"
    r"at the (?:start|end) of (?:each of )?its (?:next )?turns?(?!, ending)(?![^.]*saving throw)|"
    r"for the first time on a turn|bonus action|until the spell ends, you can"
)


def _goes_on(spell: SpellBlock) -> str:
    """The sentences about later turns that no archetype covers, such as an effect that stays in a place."""
    return " ".join(said for said in sentences(spell.text) if _LATER.search(plain(said)))


def _options(spell: SpellBlock) -> Data | None:
    text = plain(spell.text)
    if spell.attack:
        return _bolt(spell, text)
    if healing := _healing(spell, text):
        return healing
    if word := _power_word(spell, text):
        return word
    ability = spell.save or (ABILITIES[found[1]].value if (found := _WHICH_SAVE.search(text)) else None)
    return _saved(spell, text, ability) if ability is not None else None


# Attacks


def _bolt(spell: SpellBlock, text: str) -> Data | None:
    damage = _damage(spell, text)
    if not damage:
        return None
    melee = spell.attack == "melee"
    reach = max(5, min(30, _range(spell))) if melee else max(5, _range(spell))
    return {"archetype": "bolt", "range": reach, **damage, **_growth(spell), **({"melee": True} if melee else {})}


# Healing


def _healing(spell: SpellBlock, text: str) -> Data | None:
    dice = _first_dice(spell.healing)
    if dice is None and (found := _HEALS.search(text)):
        dice = found[1]
    if dice is None:
        return None
    grown = _step(spell.healing)
    growth = {"more_per_slot": grown} if grown else _grown_in_words(spell)
    return {"archetype": "healing", "range": max(5, _range(spell)), "healing": dice, **growth}


# Power words

_FALLS_SHORT = re.compile(r"otherwise, it takes (\d+d\d+) (\w+) damage")
_STOPS = re.compile(r"otherwise, its speed is 0 until the start of your next turn")


def _power_word(spell: SpellBlock, text: str) -> Data | None:
    found = _POWER_WORD.search(text)
    if found is None:
        return None
    options: Data = {"archetype": "power_word", "range": max(5, _range(spell)), "hit_points": int(found[1])}
    if condition := found[2] or found[3]:
        ability = _WHICH_SAVE.search(text)
        options |= {"condition": condition, **({"save": ABILITIES[ability[1]].value} if ability else {})}
    if short := _FALLS_SHORT.search(text):
        options |= {"damage": short[1], "damage_type": short[2]}
    return options | ({"otherwise": "transfixed"} if _STOPS.search(text) else {})


# Saves


def _saved(spell: SpellBlock, text: str, ability: str) -> Data | None:
    damage, then = _damage(spell, text), _condition(spell, text)
    options: Data = {"save": ability, **_growth(spell)}
    if damage:
        damage["saved"] = _on_success(spell, text)
    extent = _extent(spell, text)
    if extent is not None and (damage or then) and not CHOSEN.search(text):
        if not damage:
            options.pop("more_per_slot", None)
        return {"archetype": "area", **options, **extent, **damage, **({"then": then} if then else {})}
    reach = max(5, _range(spell) or (extent or {}).get("size", 0))
    if damage:
        return {"archetype": "blast", **options, "range": reach, **damage, **({"then": then} if then else {})}
    if not then:
        return None
    kept_up = {"concentration": True} if spell.concentration else {"lasts": then["lasts"]}
    again = {"save_again": True} if then.get("save_again") else {}
    several = {"targets": 20} if CHOSEN.search(text) and extent else {}
    more = {"more_per_slot": 1} if re.search(r"additional (?:creature|target|humanoid)", plain(spell.higher)) else {}
    options.pop("more_per_slot", None)
    return {
        "archetype": "affliction", "range": reach, **options, "condition": then["condition"], **kept_up, **again,
        **several, **more, **_only(text),
    }  # fmt: skip


def _on_success(spell: SpellBlock, text: str) -> str:
    return spell.saved or ("half" if HALVED.search(text) else "nothing")


def _condition(spell: SpellBlock, text: str) -> Data:
    condition = condition_in(text)
    if condition is None or condition == "invisible":
        return {}
    if condition == "prone":
        return {"condition": condition, "lasts": "until_ended"}
    again = {"save_again": True} if SAVED_AGAIN.search(text) else {}
    return {"condition": condition, "lasts": _lasts(spell), **again}


def _lasts(spell: SpellBlock) -> str:
    duration = spell.duration.lower()
    if "round" in duration or duration.startswith("instant"):
        return "next_turn"
    return "minute" if "1 minute" in duration else "hour" if "hour" in duration else "minute"


def _only(text: str) -> Data:
    found = re.search(r"(?:choose|target|one|an?) (?:a )?(humanoid|beast|undead)\b", text)
    return {"only": [CreatureType(found[1]).value]} if found else {}


def _extent(spell: SpellBlock, text: str) -> Data | None:
    found = extent_in(text)
    shape, size = (found.shape, found.size) if found is not None else (spell.shape, spell.size)
    if shape is None or size is None or size % 5 or not 5 <= size <= 200:
        return None
    shape = {"cylinder": "sphere", "emanation": "sphere"}.get(shape, shape)
    if shape not in ("sphere", "cube", "cone", "line"):
        return None
    if shape == "sphere" and _range(spell) == 0:
        return {"shape": shape, "size": size, "range": 0, "around": True}
    return {"shape": shape, "size": size, "range": _range(spell) or size}


# Numbers


def _range(spell: SpellBlock) -> int:
    """The range in feet, limited to the longest that the rules support."""
    return 300 if spell.range is None else min(1000, spell.range - spell.range % 5)


def _damage(spell: SpellBlock, text: str) -> Data:
    """The damage of its first effect."""
    found = printed_damages(text)
    dice = _first_dice(spell.damage) or (as_throw(found[0].dice) if found else None)
    kind = spell.damage_type or (found[0].type.value if found else None)
    if dice is None or kind not in {each.value for each in DamageType}:
        return {}
    return {"damage": dice, "damage_type": kind}


def _first_dice(by_level: object) -> str | None:
    if not isinstance(by_level, dict) or not by_level:
        return None
    text = by_level[min(by_level)].replace(" ", "")
    found = re.match(r"(\d+d\d+(?:[+-]\d+)?)|(\d+)$", text)
    return as_throw(found[0]) if found else None


def _growth(spell: SpellBlock) -> Data:
    if spell.level == 0:
        return {}
    grown = _step(spell.damage)
    return {"more_per_slot": grown} if grown else _grown_in_words(spell)


def _step(by_level: object) -> int:
    """The number of dice by which it grows from its own level to the next."""
    if not isinstance(by_level, dict):
        return 0
    counts = [int(found[1]) for level in sorted(by_level)[:2] if (found := re.match(r"(\d+)d", by_level[level]))]
    return min(2, counts[1] - counts[0]) if len(counts) == 2 and counts[1] > counts[0] else 0


def _grown_in_words(spell: SpellBlock) -> Data:
    found = re.search(r"increases by (\d)d\d+ for each (?:spell )?slot", plain(spell.higher))
    return {"more_per_slot": min(2, int(found[1]))} if found else {}
