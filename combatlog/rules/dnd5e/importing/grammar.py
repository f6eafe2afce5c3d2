"""The phrases that stat blocks are written in: dice, damage, saves, areas, conditions and durations.

Stat blocks of every source use the same set phrases, in one of two editions. Whatever is not such a phrase is not
guessed at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from combatlog.rules.dnd5e.words import AbilityScore, DamageType, Skill

NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9
}  # fmt: skip
CONDITIONS = (
    "blinded", "charmed", "deafened", "frightened", "grappled", "incapacitated", "invisible", "paralyzed", "petrified",
    "poisoned", "prone", "restrained", "stunned", "unconscious",
)  # fmt: skip
ABILITIES = {
    "strength": AbilityScore.STR,
    "dexterity": AbilityScore.DEX,
    "constitution": AbilityScore.CON,
    "intelligence": AbilityScore.INT,
    "wisdom": AbilityScore.WIS,
    "charisma": AbilityScore.CHA,
}
_TYPES = "|".join(kind.value for kind in DamageType)
_DICE = r"\d+d\d+(?: ?[+-] ?\d+)?"
DAMAGE = rf"(?:(?P<flat>\d+)(?: ?\((?P<dice>{_DICE})\))?|(?P<bare>{_DICE})) (?P<type>{_TYPES}) damage"
_DAMAGE = re.compile(DAMAGE)
_SAVE = re.compile(
    rf"dc (?P<dc>\d+) (?P<ability>{'|'.join(ABILITIES)}) saving throw"
    rf"|(?P<ability2>{'|'.join(ABILITIES)}) saving throw: dc (?P<dc2>\d+)"
)


def plain(text: str) -> str:
    """A text as the phrases below expect it: lower case, feet as `ft`, plain dashes and apostrophes."""
    text = (
        text.replace("–", "-").replace("—", "-").replace("−", "-").replace("’", "'").replace("*", "").replace("_", " ")
    )
    text = re.sub(r"(?<=\(|\s)[lI](?=\dd?\d*\b)", "1", text)  # misprints that one source has: l6d8, DC l3 and Sd8
    text = text.replace("(Sd", "(5d").replace("d1O", "d10")
    text = re.sub(r"(?<=\(\d) (?=d\d)|(?<=\d) (?=-foot)", "", text)  # 1 d6 and 10 -foot
    text = re.sub(r"(?:\b|(?<=\d))(feet|foot|ft\.|ft)(?=[\s,;:.)\-]|$)", "ft", text.lower())
    return re.sub(r"\s+", " ", text).strip()


def slug(name: str) -> str:
    """A name as pieces have it: lower-case words joined by underscores."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", name.lower()))
    joined = "_".join(words)[:40].strip("_") or "unnamed"
    return joined if joined[0].isalpha() else f"the_{joined}"[:40]


@dataclass(frozen=True, slots=True)
class Harm:
    """An amount of damage of one type, and where in the text it stands."""

    dice: str
    type: DamageType
    start: int
    end: int


def harms(text: str) -> list[Harm]:
    return [
        Harm(_compact(found["dice"] or found["bare"] or found["flat"]), DamageType(found["type"]), *found.span())
        for found in _DAMAGE.finditer(text)
    ]


def _compact(dice: str) -> str:
    return dice.replace(" ", "")


def as_throw(dice: str) -> str | None:
    """Dice as archetypes take them; a fixed amount is that many dice with one side."""
    if re.fullmatch(r"\d+", dice):
        return f"{dice}d1" if 1 <= int(dice) <= 40 else None
    found = re.fullmatch(r"(\d+)d(\d+)([+-]\d+)?", dice)
    return dice if found and int(found[1]) <= 40 and int(found[2]) <= 20 else None


@dataclass(frozen=True, slots=True)
class Save:
    ability: AbilityScore
    dc: int
    start: int
    end: int


def first_save(text: str) -> Save | None:
    found = _SAVE.search(text)
    if found is None:
        return None
    ability, dc = found["ability"] or found["ability2"], found["dc"] or found["dc2"]
    return Save(ABILITIES[ability], int(dc), *found.span())


_CAUSED = re.compile(
    r"(?:(?:be|become|becomes|is|are) (?:magically )?(?:knocked )?|(?:has|have|gains?) the )"
    rf"(?P<name>{'|'.join(CONDITIONS)})\b(?: condition)?"
    r"|(?P<fall>falls?) (?:prone|unconscious)|knocked (?P<prone>prone)"
)


BOTH = re.compile(
    rf"(?:has|have) the (?P<first>{'|'.join(CONDITIONS)}) and (?P<second>{'|'.join(CONDITIONS)}) conditions"
)
"""Two conditions at once."""
_WEAKENED = re.compile(
    r"ha(?:ve|s) disadvantage on strength-based attack rolls, strength checks,? and strength saving throws"
)


_SLUGGISH = re.compile(
    r"can't (?:use|take) reactions[,;] its speed is halved[,;] and "
    r"it can(?:'t make more than one attack| take either an)"
)


def condition_in(text: str) -> str | None:
    """The first condition that a text says somebody gets."""
    if _WEAKENED.search(text):
        return "weakened"
    if _SLUGGISH.search(text):
        return "sluggish"
    if "gains 1 exhaustion level" in text:
        return "exhaustion"
    found = _CAUSED.search(text)
    if found is None:
        return None
    if found["fall"]:
        return "unconscious" if "unconscious" in found[0] else "prone"
    return found["name"] or found["prone"]


SAVED_AGAIN = re.compile(
    r"repeats? the (?:saving throw|save)|another (?:\w+ )?saving throw at the end of each|saves? again"
)
HALVED = re.compile(r"half as much|half (?:the )?damage|success: half")


def lasts(text: str) -> str:
    """How long a condition lasts, as archetypes have it."""
    if re.search(r"until the (?:start|end) of (?:its|the [\w' ]+|their|your|his|her) next turn|for 1 round", text):
        return "next_turn"
    if re.search(r"\bfor (?:1|one) minute|for the duration", text):
        return "minute"
    return "until_ended" if re.search(r"for (?:\d+|one|1d\d+) (?:hour|day|minute)|until|permanent", text) else "minute"


@dataclass(frozen=True, slots=True)
class Extent:
    shape: str
    size: int
    around: bool = False


_SHAPED = re.compile(
    r"(?P<size>\d+)-ft(?:-(?P<radius>radius))?(?:,? \d+-ft-(?:high|tall))?,? ?(?:-?(?:radius|wide|long|square))?,? ?"
    r"(?P<shape>cone|line|cube|sphere|cylinder|emanation|radius)"
)
_LINE = re.compile(r"line (?:that is |of \w+ )?(?P<size>\d+) ft long|(?P<size2>\d+)-ft-long(?:, \d+-ft-wide)? line")
_NEARBY = re.compile(
    r"(?:each|every|any|all) (?:[\w']+ ){0,6}?(?:creatures?|targets?)\b[^.:]*?\bwithin (?P<size>\d+) ft of"
)
_SHAPES = {"cone": "cone", "line": "line", "cube": "cube", "sphere": "sphere", "cylinder": "sphere", "radius": "sphere"}


def extent_in(text: str) -> Extent | None:
    if found := _LINE.search(text):
        return Extent("line", int(found["size"] or found["size2"]))
    if found := _SHAPED.search(text):
        if found["shape"] == "emanation":
            return Extent("sphere", int(found["size"]), around=True)
        return Extent(_SHAPES[found["shape"]], int(found["size"]))
    if found := _NEARBY.search(text):
        return Extent("sphere", int(found["size"]), around=True)
    return None


CHOSEN = re.compile(r"creatures? of (?:the [\w' ]+|its|your|their)'?s? choice|creatures? (?:of your choice|you choose)")
_REACH = re.compile(r"within (\d+) ft")


def range_in(text: str) -> int | None:
    found = _REACH.search(text)
    return _fives(int(found[1])) if found else None


def _fives(feet: int) -> int:
    return max(5, feet - feet % 5)


def sentences(text: str) -> list[str]:
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Za-z])", re.sub(r"\b(ft|vs|etc)\.", r"\1", text))
    return [part.strip() for part in parts if part.strip()]


SKILLS = {skill.value: skill for skill in Skill}
