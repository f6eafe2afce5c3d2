"""Actions that others save against: breath weapons, gazes, roars."""

from __future__ import annotations

import re

from ledger.events import Data
from rules.dnd5e.importing.grammar import (
    CHOSEN,
    HALVED,
    SAVED_AGAIN,
    Extent,
    Save,
    as_throw,
    condition_in,
    extent_in,
    first_save,
    harms,
    lasts,
    plain,
    range_in,
)
from rules.dnd5e.words import CreatureType

MOST_TARGETS = 20
_SEVERAL = re.compile(r"up to (two|three|four|five|six) (?:\w+ )?(?:creatures|targets)")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ONLY = re.compile(r"(?:one|each|a) (?P<kind>humanoid|beast|undead|giant)\b")
_PUSHED = re.compile(r"push(?:ed|es)?(?: [\w ]+?)? (?:up to )?(\d+) ft")


def read_save(text: str) -> Data | None:
    """An archetype and its options for a paragraph that calls for a save; None if it is not of a known form."""
    said = plain(text)
    save = first_save(said)
    if save is None:
        return None
    options: Data = {"save": save.ability.value, "dc": save.dc}
    damage, after = _damage(said, save), said[save.start :]
    then = _condition(after)
    extent = extent_in(said)
    if extent is not None and not (CHOSEN.search(said) and extent.around):
        return _area(options, extent, damage, then, after, said)
    reach = range_in(said) or (extent.size if extent is not None else None) or 5
    options |= {"range": reach} | _targets(said)
    if damage:
        return {"archetype": "blast", **options, **damage, **({"then": then} if then else {})}
    return {"archetype": "affliction", **options, **_only(said), **then} if then else None


def _damage(said: str, save: Save) -> Data:
    found = [harm for harm in harms(said) if harm.start > save.start]
    dice = as_throw(found[0].dice) if found else None
    if dice is None:
        return {}
    saved = "half" if HALVED.search(said) else "nothing"
    return {"damage": dice, "damage_type": found[0].type.value, "saved": saved}


def _condition(after: str) -> Data:
    condition = condition_in(after)
    if condition is None:
        return {}
    if condition == "prone":
        return {"condition": condition, "lasts": "until_ended"}
    again = {"save_again": True} if SAVED_AGAIN.search(after) else {}
    return {"condition": condition, "lasts": lasts(after), **again}


def _area(options: Data, extent: Extent, damage: Data, then: Data, after: str, said: str) -> Data | None:
    if extent.size % 5 or not 5 <= extent.size <= 200:
        return None
    options |= {"shape": extent.shape, "size": extent.size}
    if extent.around:
        options |= {"around": True, "range": 0}
    else:
        options["range"] = (range_in(said) or extent.size) if extent.shape == "sphere" else extent.size
    pushed = _PUSHED.search(after)
    push = {"push": int(pushed[1])} if pushed and int(pushed[1]) % 5 == 0 else {}
    if not (damage or then or push):
        return None
    return {"archetype": "area", **options, **damage, **push, **({"then": then} if then else {})}


def _targets(said: str) -> Data:
    if CHOSEN.search(said) or re.search(r"\beach (?:[\w']+ ){0,3}(?:creature|target|humanoid)", said):
        return {"targets": MOST_TARGETS}
    several = _SEVERAL.search(said)
    return {"targets": _COUNTS[several[1]]} if several else {}


def _only(said: str) -> Data:
    found = _ONLY.search(said)
    return {"only": [CreatureType(found["kind"]).value]} if found else {}
