"""A sheet under construction, and the set phrases of stat blocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from combatlog.importers.statblocks.stat_block import Paragraph, StatBlock, StatBlockPart
from combatlog.rules.dnd5e.archetypes.registry import ARCHETYPES
from combatlog.rules.dnd5e.creatures.loadout import check_name
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType, Skill
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data

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
    """A text normalized for the phrases below: lower case, feet as `ft`, plain dashes and apostrophes."""
    text = (
        text.replace("–", "-").replace("—", "-").replace("−", "-").replace("’", "'").replace("*", "").replace("_", " ")
    )
    text = re.sub(r"(?<=\(|\s)[lI](?=\dd?\d*\b)", "1", text)  # misprints of one source: l6d8, DC l3 and Sd8
    text = text.replace("(Sd", "(5d").replace("d1O", "d10")
    text = re.sub(r"(?<=\(\d) (?=d\d)|(?<=\d) (?=-foot)", "", text)  # 1 d6 and 10 -foot
    text = re.sub(r"(?:\b|(?<=\d))(feet|foot|ft\.|ft)(?=[\s,;:.)\-]|$)", "ft", text.lower())
    return re.sub(r"\s+", " ", text).strip()


def slug(name: str) -> str:
    """A name in the form of piece names: lower-case words joined by underscores."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", name.lower()))
    joined = "_".join(words)[:40].strip("_") or "unnamed"
    return joined if joined[0].isalpha() else f"the_{joined}"[:40]


@dataclass(frozen=True, slots=True)
class PrintedDamage:
    """An amount of damage of one type, and its place in the text."""

    dice: str
    type: DamageType
    start: int
    end: int


def printed_damages(text: str) -> list[PrintedDamage]:
    return [
        PrintedDamage(
            _compact(found["dice"] or found["bare"] or found["flat"]), DamageType(found["type"]), *found.span()
        )
        for found in _DAMAGE.finditer(text)
    ]


def _compact(dice: str) -> str:
    return dice.replace(" ", "")


def as_throw(dice: str) -> str | None:
    """Dice in the form of archetypes. A fixed amount becomes that many one-sided dice."""
    if re.fullmatch(r"\d+", dice):
        return f"{dice}d1" if 1 <= int(dice) <= 40 else None
    found = re.fullmatch(r"(\d+)d(\d+)([+-]\d+)?", dice)
    return dice if found and int(found[1]) <= 40 and int(found[2]) <= 20 else None


@dataclass(frozen=True, slots=True)
class PrintedSave:
    ability: AbilityScore
    dc: int
    start: int
    end: int


def first_save(text: str) -> PrintedSave | None:
    found = _SAVE.search(text)
    if found is None:
        return None
    ability, dc = found["ability"] or found["ability2"], found["dc"] or found["dc2"]
    return PrintedSave(ABILITIES[ability], int(dc), *found.span())


_CAUSED = re.compile(
    r"(?:(?:be|become|becomes|is|are) (?:magically )?(?:knocked )?|(?:has|have|gains?) the )"
    rf"(?P<name>{'|'.join(CONDITIONS)})\b(?: condition)?"
    r"|(?P<fall>falls?) (?:prone|unconscious)|knocked (?P<prone>prone)"
)


BOTH = re.compile(
    rf"(?:has|have) the (?P<first>{'|'.join(CONDITIONS)}) and (?P<second>{'|'.join(CONDITIONS)}) conditions"
)
"""Two conditions in one phrase."""
_WEAKENED = re.compile(
    r"ha(?:ve|s) disadvantage on strength-based attack rolls, strength checks,? and strength saving throws"
)


_SLUGGISH = re.compile(
    r"can't (?:use|take) reactions[,;] its speed is halved[,;] and "
    r"it can(?:'t make more than one attack| take either an)"
)


def condition_in(text: str) -> str | None:
    """The first condition that a text imposes."""
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
    """The duration of a condition, in the terms of archetypes."""
    if re.search(r"until the (?:start|end) of (?:its|the [\w' ]+|their|your|his|her) next turn|for 1 round", text):
        return "next_turn"
    if re.search(r"\bfor (?:1|one) minute|for the duration", text):
        return "minute"
    return "until_ended" if re.search(r"for (?:\d+|one|1d\d+) (?:hour|day|minute)|until|permanent", text) else "minute"


@dataclass(frozen=True, slots=True)
class PrintedArea:
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


def extent_in(text: str) -> PrintedArea | None:
    if found := _LINE.search(text):
        return PrintedArea("line", int(found["size"] or found["size2"]))
    if found := _SHAPED.search(text):
        if found["shape"] == "emanation":
            return PrintedArea("sphere", int(found["size"]), around=True)
        return PrintedArea(_SHAPES[found["shape"]], int(found["size"]))
    if found := _NEARBY.search(text):
        return PrintedArea("sphere", int(found["size"]), around=True)
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


TAKES = {StatBlockPart.ACTION: "action", StatBlockPart.BONUS_ACTION: "bonus_action"}


def usage(paragraph: Paragraph) -> Data:
    used: dict[str, Any] = {}
    if TAKES.get(paragraph.part, "action") != "action":
        used["takes"] = TAKES[paragraph.part]
    if paragraph.uses is not None:
        used["uses"] = min(20, paragraph.uses)
    if paragraph.recharge is not None and paragraph.recharge >= 2:
        used["recharge"] = paragraph.recharge
    if paragraph.per_rest:
        used["back_after"] = "short"
    return used


class MappingKind(StrEnum):
    """Kinds of entries, counted separately."""

    ATTACK = "attacks"
    ABILITY = "traits and actions"
    SPELL = "combat spells"


class MappingResult(StrEnum):
    """The result of mapping a part of a stat block."""

    MAPPED = "mapped"
    IN_PART = "in part"
    """The main effect is mapped; the rest is left to the GM."""
    LEFT = "left to the GM"
    NO_BEARING = "no bearing on a fight"
    """It cannot matter in a fight under these rules, such as breathing under water."""


@dataclass(frozen=True, slots=True)
class MappingEntry:
    kind: MappingKind
    owner: str
    name: str
    fate: MappingResult


@dataclass(slots=True)
class SheetDraft:
    block: StatBlock
    sheet: dict[str, Any] = field(default_factory=dict)
    entries: list[MappingEntry] = field(default_factory=list)
    find: Callable[[str], Data | str | None] = lambda name: None
    """The entry of a spell by its name."""
    taken: set[str] = field(default_factory=set)
    """The names of pieces on the sheet."""

    def count(self, kind: MappingKind, name: str, fate: MappingResult) -> None:
        self.entries.append(MappingEntry(kind, self.block.name, name, fate))

    def add(self, section: str, entry: str | Data) -> None:
        self.sheet.setdefault(section, []).append(entry)
        if section in ("features", "actions", "spells"):
            self.taken.add(entry if isinstance(entry, str) else entry["name"])

    def add_piece(self, section: str, piece: Data) -> bool:
        """Add a definition, unless the rules refuse it. Returns whether it was added."""
        if not self.is_sound(section, piece):
            return False
        self.add(section, piece)
        return True

    def is_sound(self, section: str, piece: Data) -> bool:
        try:
            ARCHETYPES.made_from(section, piece["name"], {key: piece[key] for key in piece if key != "name"})
        except Refusal:
            return False
        return True

    def note(self, paragraph: Paragraph, text: str | None = None) -> None:
        name, said = paragraph.name[:80], (text or paragraph.text)[:4000]
        if not any(note["name"] == name for note in self.sheet.get("notes", ())):
            self.add("notes", {"name": name, "text": said})

    def named(self, name: str) -> str:
        """A free name for a piece."""
        wanted = slug(name)
        number, free = 1, wanted
        while free in self.taken or _is_reserved(free):
            number += 1
            free = f"{wanted[:36]}_{number}"
        return free

    def weapon(self, name: str) -> Data | None:
        """A weapon of the sheet. Weapons of the ruleset are listed by name only."""
        return next((weapon for weapon in self.weapons if weapon["name"] == name), None)

    @property
    def weapons(self) -> list[Data]:
        return [{"name": one} if isinstance(one, str) else one for one in self.sheet.get("weapons", ())]


def _is_reserved(name: str) -> bool:
    try:
        check_name(name)
    except Refusal:
        return True
    return False
