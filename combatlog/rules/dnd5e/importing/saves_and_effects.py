"""Import of actions with a save, and of sentences that add to an effect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from combatlog.rules.dnd5e.enums import CreatureType
from combatlog.rules.dnd5e.importing.sheet_draft import (
    BOTH,
    CHOSEN,
    CONDITIONS,
    DAMAGE,
    HALVED,
    SAVED_AGAIN,
    PrintedArea,
    PrintedDamage,
    PrintedSave,
    as_throw,
    condition_in,
    extent_in,
    first_save,
    lasts,
    plain,
    printed_damages,
    range_in,
    sentences,
)
from ledger.events import Data

_NAMES = "|".join(CONDITIONS)
_DICE = re.compile(DAMAGE)


def _drained(found: re.Match[str], said: str) -> Data:
    kind = {"damage_type": found["type"]} if found["type"] else {}
    return {"drain": {**kind, **({"heals": True} if "regains" in said else {})}}


def _goes_on(found: re.Match[str], said: str) -> Data | None:
    dealt = _DICE.search(said)
    dice = as_throw((dealt["dice"] or dealt["bare"] or dealt["flat"]).replace(" ", "")) if dealt else None
    if dealt is None or dice is None:
        return None
    at = {"at": "turn_end"} if found["at"] == "end" else {}
    out = {"put_out": True} if "action to douse" in said else {}
    more = {"also": ["unhealing"]} if "can't regain hit points" in said else {}
    return {"ongoing": {"damage": dice, "damage_type": dealt["type"], **at, **out}, **more}


def _once_more(found: re.Match[str], said: str) -> Data | None:
    dice = as_throw(found["dice"].replace(" ", ""))
    ongoing = {"damage": dice, "damage_type": found["type"], "at": "turn_end", "once": True}
    return {"ongoing": ongoing} if dice is not None else None


def _badly(found: re.Match[str], said: str) -> Data | None:
    if found["name"] == "poisoned":
        return None  # it only lasts longer, which the rules do not distinguish
    return {"badly": "unconscious" if "unconscious while poisoned" in said and "instead" in said else _asleep(found)}


def _asleep(found: re.Match[str]) -> str:
    return "asleep" if found["name"] == "unconscious" else found["name"]


_ADDED: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], Data | None]], ...] = (
    (
        re.compile(
            r"hit point maximum (?:is )?(?:reduced|decreases?) by an amount equal to the "
            r"(?:(?P<type>\w+) )?damage taken"
        ),
        _drained,
    ),
    (re.compile(r"takes [\w() +]+ damage at the (?P<at>start|end) of each of its turns"), _goes_on),
    (
        re.compile(r"and (?P<dice>\d+d\d+) (?P<type>\w+) damage at the end of its next turn"),
        _once_more,
    ),
    (
        re.compile(r"\bcreature\b[\w ,']* it (?:ignites|starts burning)(?:\.|$)"),
        lambda found, said: {"ongoing": {"damage": "1d4", "damage_type": "fire", "put_out": True}},
    ),
    (
        re.compile(
            rf"(?:fails? by 5 or more|saving throw result is 5 or lower|failure by 5 or more:?),?"
            rf"[\w' ]*?\b(?:is also|falls|is instead[\w ()]* and|has the) (?P<name>{_NAMES})\b"
        ),
        _badly,
    ),
    (
        re.compile(
            r"(?:while (?:poisoned|cursed)[\w ]*|until this poison ends|the cursed target),? ?"
            r"(?:the target )?can't regain hit points"
        ),
        lambda found, said: {"also": ["unhealing"]},
    ),
    (
        re.compile(r"^until this poison ends, the target is unconscious"),
        lambda found, said: {"also": ["unconscious"]},
    ),
    (
        re.compile(r"pull(?:ed|s)(?: the target)? (?:up to )?(?P<feet>\d+) ft (?:straight )?toward"),
        lambda found, said: (
            {"pull": int(found["feet"])} if int(found["feet"]) % 5 == 0 and "contest" not in said else None
        ),
    ),
    (
        re.compile(
            r"(?:(?:reduces the target to 0 hit points|reduced to 0 hit points by [\w ]+),? (?:the target )?"
            r"(?:is|becomes) stable)"
        ),
        lambda found, said: {"downed": ["poisoned", "paralyzed"]},
    ),
    (
        re.compile(
            r"(?:on a failure,|second failure:?) the (?:target|creature) (?:is|has the) "
            r"(?P<name>petrified|paralyzed|unconscious)\b"
        ),
        lambda found, said: {"worse": found["name"], **({"worse_saved": True} if "repeats the save" in said else {})},
    ),
    (
        re.compile(r"speed decreases by 10 ft until the end of its next turn"),
        lambda found, said: {"also": ["chilled"]},
    ),
    (
        re.compile(r"disadvantage on the next attack roll it makes before the end of its next turn"),
        lambda found, said: {"also": ["rattled"]},
    ),
)

AFTER_THE_FIGHT = re.compile(
    r"this reduction (?:to the target's hit point maximum )?lasts until"
    r"|dies if (?:this effect|this attack|the disease) reduces"
    r"|the reduction lasts until|after 1 minute, it succeeds automatically"
    r"|rises (?:24 hours later|the following night|from the corpse)|(?:\w+) under its control at one time"
    r"|24 hours(?: that elapse)?|^the disease is cured on a success|^if the curse reduces"
    r"|curse lasts until|^the poison lasts until it is removed|absorbed into the"
    r"|gains? no benefit from finishing|takes effect whenever the target takes a short or long rest"
    r"|target wakes up if it takes damage"
    r"|^while (?:poisoned|it has the poisoned condition), the target (?:also )?has the (?:paralyzed|unconscious) "
    r"|^on a success, the effect ends|must repeat the saving throw at the end of its next turn"
    r"|repeats the save at the end of its next turn|^each of which can grapple one target"
    r"|has (?:two|ten|eight|six|four) tentacles, each of which"
)
"""Sentences that repeat the effect or are about the time after the fight."""


def added(said: str) -> Data | None:
    """The options that a sentence adds to an effect; None if it adds none that the rules support."""
    for pattern, make in _ADDED:
        if found := pattern.search(said):
            return make(found, said)
    return None


def merged(then: Data, more: Data) -> Data:
    """Both sets of options merged, with all additional conditions."""
    also = [*then.get("also", ()), *(name for name in more.get("also", ()) if name != then.get("condition"))]
    both = {**then, **more}
    return both | {"also": list(dict.fromkeys(also))} if also else both


def additions(rest: str, used: list[str]) -> Iterator[tuple[str, Data]]:
    """Each sentence that adds options, with those options."""
    for said in sentences(rest):
        if said not in used and (more := added(said)) is not None:
            yield said, more


MOST_TARGETS = 20
_SEVERAL = re.compile(r"up to (two|three|four|five|six) (?:\w+ )?(?:creatures|targets)")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ONLY = re.compile(r"(?:one|each|a) (?P<kind>humanoid|beast|undead|giant)\b")
_PUSHED = re.compile(r"push(?:ed|es)?(?: [\w ]+?)? (?:up to )?(\d+) ft")


def read_save(text: str) -> Data | None:
    """An archetype and its options for a paragraph with a save; None if its form is unknown."""
    said = plain(text)
    save = first_save(said)
    if save is None or "swallow" in said:  # the rules do not cover swallowed creatures
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
    """The options of an affliction, with its condition separate from later effects."""
    own: Data = {name: then[name] for name in ("condition", "lasts", "save_again") if name in then}
    later = {name: value for name, value in then.items() if name not in own}
    return {**own, **({"then": later} if later else {})}


def _damage(said: str, save: PrintedSave) -> Data:
    found = [harm for harm in printed_damages(said) if harm.start > save.start and not _LATER.match(said, harm.end)]
    dice = as_throw(found[0].dice) if found else None
    if dice is None:
        return {}
    saved = "half" if HALVED.search(said) else "nothing"
    return {"damage": dice, "damage_type": found[0].type.value, "saved": saved, **plus(said, found)}


_LATER = re.compile(r" at the (?:start|end) of each of its turns")


def plus(said: str, found: list[PrintedDamage]) -> Data:
    """Additional damage of other types: `28 (8d6) fire damage plus 28 (8d6) radiant damage`."""
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


def _area(options: Data, extent: PrintedArea, damage: Data, then: Data, after: str, said: str) -> Data | None:
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
