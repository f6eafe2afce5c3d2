"""Actions that others save against: breath weapons, gazes, roars."""

from __future__ import annotations

import re
from itertools import pairwise

from combatlog.rules.dnd5e.importing.aftermaths import added, merged
from combatlog.rules.dnd5e.importing.grammar import (
    BOTH,
    CHOSEN,
    HALVED,
    SAVED_AGAIN,
    Extent,
    Harm,
    Save,
    as_throw,
    condition_in,
    extent_in,
    first_save,
    harms,
    lasts,
    plain,
    range_in,
    sentences,
)
from combatlog.rules.dnd5e.words import CreatureType
from ledger.events import Data

MOST_TARGETS = 20
_SEVERAL = re.compile(r"up to (two|three|four|five|six) (?:\w+ )?(?:creatures|targets)")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ONLY = re.compile(r"(?:one|each|a) (?P<kind>humanoid|beast|undead|giant)\b")
_PUSHED = re.compile(r"push(?:ed|es)?(?: [\w ]+?)? (?:up to )?(\d+) ft")


def read_save(text: str) -> Data | None:
    """An archetype and its options for a paragraph that calls for a save; None if it is not of a known form."""
    said = plain(text)
    save = first_save(said)
    if save is None or "swallow" in said:  # whoever is swallowed is somewhere else, which the rules do not have
        return None
    options: Data = {"save": save.ability.value, "dc": save.dc}
    damage, after = _damage(said, save), said[max(save.start, said.find("failure:", save.end)) :]
    then = _condition(after)
    extent = extent_in(said)
    if extent is not None and not (CHOSEN.search(said) and extent.around):
        return _area(options, extent, damage, then, after, said)
    reach = range_in(said) or (extent.size if extent is not None else None) or 5
    options |= {"range": reach} | _targets(said)
    if damage:
        return {"archetype": "blast", **options, **damage, **({"then": then} if then else {})}
    return {"archetype": "affliction", **options, **_only(said), **_as_affliction(then)} if then else None


def _as_affliction(then: Data) -> Data:
    """An affliction has the condition itself, and what comes after it apart."""
    own: Data = {name: then[name] for name in ("condition", "lasts", "save_again") if name in then}
    later = {name: value for name, value in then.items() if name not in own}
    return {**own, **({"then": later} if later else {})}


def _damage(said: str, save: Save) -> Data:
    found = [harm for harm in harms(said) if harm.start > save.start and not _LATER.match(said, harm.end)]
    dice = as_throw(found[0].dice) if found else None
    if dice is None:
        return {}
    saved = "half" if HALVED.search(said) else "nothing"
    return {"damage": dice, "damage_type": found[0].type.value, "saved": saved, **plus(said, found)}


_LATER = re.compile(r" at the (?:start|end) of each of its turns")


def plus(said: str, found: list[Harm]) -> Data:
    """Damage of other types on top: `28 (8d6) fire damage plus 28 (8d6) radiant damage`."""
    extra = []
    for before, harm in pairwise(found):
        dice = as_throw(harm.dice)
        if said[before.end : harm.start].strip(" ,") not in ("plus", "and") or dice is None:
            break
        extra.append({"damage": dice, "damage_type": harm.type.value})
    return {"extra": extra[:3]} if extra else {}


_NOT_ON = re.compile(r"\bnon-?(?P<a>undead|construct)\b|(?:isn't|is not) an? (?P<b>undead|construct|demon|dragon)\b")


def not_on(said: str) -> Data:
    found = _NOT_ON.search(said)
    kind = (found["a"] or found["b"]) if found else None
    return {"not_on": [{"demon": "fiend"}.get(kind, kind)]} if kind is not None else {}


def _condition(after: str) -> Data:
    condition = condition_in(after)
    if condition is None:
        return {}
    if condition in ("prone", "exhaustion"):
        return {"condition": condition, "lasts": "until_ended"}
    if condition == "grappled" and (escape := _ESCAPE.search(after)):
        also = {"also": ["restrained"]} if _HELD_FAST.search(after) else {}
        return {"condition": condition, "lasts": "until_ended", "escape_dc": int(escape[1]), **also}
    then: Data = {"condition": condition, "lasts": _lasts(after)}
    if both := BOTH.search(after):
        then["also"] = [both["second"]]
    for said in sentences(after):
        more = added(said)
        if more is not None and more.keys() <= {"also", "badly", "worse", "worse_saved", "ongoing"}:
            then = merged(then, more)
    if "worse" in then:
        then |= {"lasts": "until_ended"} if then["worse"] == "petrified" else {"lasts": "minute"}
        then |= {"worse": "asleep"} if then["worse"] == "unconscious" and "takes damage" in after else {}
        return then
    again = {"save_again": True} if SAVED_AGAIN.search(after) else {}
    return {**then, **again}


def _lasts(after: str) -> str:
    return "minute" if "after 1 minute, it succeeds automatically" in after else lasts(after)


_ESCAPE = re.compile(r"escape dc (\d+)")
_HELD_FAST = re.compile(
    r"restrained (?:condition )?until (?:the|this) grapple ends|until (?:the|this) grapple ends, [\w ]+ restrained"
)


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
    return {"archetype": "area", **options, **damage, **push, **not_on(said), **({"then": then} if then else {})}


def _targets(said: str) -> Data:
    if CHOSEN.search(said) or re.search(r"\beach (?:[\w']+ ){0,3}(?:creature|target|humanoid)", said):
        return {"targets": MOST_TARGETS}
    several = _SEVERAL.search(said)
    return {"targets": _COUNTS[several[1]]} if several else {}


def _only(said: str) -> Data:
    found = _ONLY.search(said)
    return {"only": [CreatureType(found["kind"]).value]} if found else {}
