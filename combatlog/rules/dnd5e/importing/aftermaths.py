"""What sentences add to an effect: a second condition, damage that goes on, drained life, a pull, a worse failure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from combatlog.rules.dnd5e.importing.grammar import CONDITIONS, DAMAGE, as_throw, sentences
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
        return None  # for longer than otherwise, which only people can keep apart
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
"""Sentences about what the effect already does, or about days after the fight."""


def added(said: str) -> Data | None:
    """The options that a sentence adds to an effect; None if it adds nothing that the rules know."""
    for pattern, make in _ADDED:
        if found := pattern.search(said):
            return make(found, said)
    return None


def merged(then: Data, more: Data) -> Data:
    """Both. Conditions that come along are collected."""
    also = [*then.get("also", ()), *(name for name in more.get("also", ()) if name != then.get("condition"))]
    both = {**then, **more}
    return both | {"also": list(dict.fromkeys(also))} if also else both


def additions(rest: str, used: list[str]) -> Iterator[tuple[str, Data]]:
    """Every sentence that adds something, and what."""
    for said in sentences(rest):
        if said not in used and (more := added(said)) is not None:
            yield said, more
