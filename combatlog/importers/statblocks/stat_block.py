"""The common form of every format: stat blocks and spells, with their paragraphs in the phrases of printed ones.

Formats differ in how much they give as fields. Prose stays prose here; a ruleset reads it. Tables supply the class data
that character sheets omit: hit dice, proficiency, spell slots.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

HIT_DICE = {
    "barbarian": 12, "fighter": 10, "paladin": 10, "ranger": 10, "bard": 8, "cleric": 8, "druid": 8, "monk": 8,
    "rogue": 8, "warlock": 8, "artificer": 8, "sorcerer": 6, "wizard": 6,
}  # fmt: skip
SPELL_ABILITIES = {
    "bard": "cha", "cleric": "wis", "druid": "wis", "paladin": "cha", "ranger": "wis", "sorcerer": "cha",
    "warlock": "cha", "wizard": "int", "artificer": "int",
}  # fmt: skip


def hit_dice(classes: Mapping[str, int]) -> str:
    """As many dice as levels, all of the class with the most levels, because a sheet has only one kind of hit dice."""
    if not classes:
        return "1d8"
    main = max(classes, key=lambda name: classes[name])
    return f"{sum(classes.values())}d{HIT_DICE.get(main.lower(), 8)}"


def proficiency(level: int) -> int:
    return 2 + (max(1, level) - 1) // 4


class Progression(StrEnum):
    """How fast a class gains spell slots."""

    FULL = "full"
    HALF = "half"
    HALF_ROUNDED_UP = "artificer"
    THIRD = "third"
    PACT = "pact"
    NONE = "none"


BY_CLASS = {
    "bard": Progression.FULL,
    "cleric": Progression.FULL,
    "druid": Progression.FULL,
    "sorcerer": Progression.FULL,
    "wizard": Progression.FULL,
    "paladin": Progression.HALF,
    "ranger": Progression.HALF,
    "artificer": Progression.HALF_ROUNDED_UP,
    "warlock": Progression.PACT,
}
_BY_LEVEL = (
    (2,), (3,), (4, 2), (4, 3), (4, 3, 2), (4, 3, 3), (4, 3, 3, 1), (4, 3, 3, 2), (4, 3, 3, 3, 1), (4, 3, 3, 3, 2),
    (4, 3, 3, 3, 2, 1), (4, 3, 3, 3, 2, 1), (4, 3, 3, 3, 2, 1, 1), (4, 3, 3, 3, 2, 1, 1), (4, 3, 3, 3, 2, 1, 1, 1),
    (4, 3, 3, 3, 2, 1, 1, 1), (4, 3, 3, 3, 2, 1, 1, 1, 1), (4, 3, 3, 3, 3, 1, 1, 1, 1), (4, 3, 3, 3, 3, 2, 1, 1, 1),
    (4, 3, 3, 3, 3, 2, 2, 1, 1),
)  # fmt: skip


def slots(classes: Iterable[tuple[Progression, int]]) -> dict[int, int]:
    """The slots, by level, of a character with levels in these classes. Pact magic is separate."""
    counted = [(how, level) for how, level in classes if how not in (Progression.NONE, Progression.PACT)]
    caster = _caster_level(counted)
    return dict(enumerate(_BY_LEVEL[min(20, caster) - 1], start=1)) if caster else {}


def _caster_level(classes: Sequence[tuple[Progression, int]]) -> int:
    """A single class rounds up once it has slots at all; with several classes, fractions are dropped."""
    if len(classes) == 1:
        how, level = classes[0]
        match how:
            case Progression.HALF:
                return (level + 1) // 2 if level >= 2 else 0
            case Progression.THIRD:
                return (level + 2) // 3 if level >= 3 else 0
    return sum(_counted(how, level) for how, level in classes)


def _counted(how: Progression, level: int) -> int:
    match how:
        case Progression.FULL:
            return level
        case Progression.HALF:
            return level // 2
        case Progression.HALF_ROUNDED_UP:
            return (level + 1) // 2
        case _:
            return level // 3


def pact_slots(level: int) -> dict[int, int]:
    """The slots of a warlock, which all have the same level."""
    if level < 1:
        return {}
    count = 1 if level == 1 else 2 if level < 11 else 3 if level < 17 else 4
    return {min(5, (level + 1) // 2): count}


ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
"""Abilities by their abbreviations on sheets."""


class StatBlockPart(StrEnum):
    """The section of a stat block that a paragraph belongs to."""

    TRAIT = "trait"
    ACTION = "action"
    BONUS_ACTION = "bonus action"
    REACTION = "reaction"
    LEGENDARY = "legendary action"
    LAIR = "lair action"


@dataclass(frozen=True, slots=True)
class BlockOrigin:
    """The source of content and its licence."""

    title: str
    licence: str = ""
    attribution: str = ""

    @property
    def sentence(self) -> str:
        terms = f"{self.title}, {self.licence}." if self.licence else f"{self.title}."
        return f"{terms} {self.attribution}".strip()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A named paragraph: a trait, an attack, a breath weapon."""

    part: StatBlockPart
    name: str
    text: str
    recharge: int | None = None
    """The lowest d6 roll that recharges it."""
    uses: int | None = None
    per_rest: bool = False
    """Whether a short rest restores its uses; otherwise, they are per day."""
    cost: int = 1
    """The cost in legendary actions."""
    remark: str = ""
    """Other text in brackets after its name, such as a form it is limited to."""
    routines: tuple[Mapping[str, int], ...] = ()
    """For a multiattack with fields: how often each attack is made, for each alternative."""
    weapon: str = ""
    """For a character's attack: the ordinary weapon it uses, such as `longsword`, if the format says so."""


@dataclass(frozen=True, slots=True)
class Training:
    """A character's proficiencies."""

    saves: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    expertise: tuple[str, ...] = ()
    """Skills with twice the proficiency bonus."""
    weapons: tuple[str, ...] = ()
    """`simple`, `martial`, or the names of weapons."""
    armor: tuple[str, ...] = ()
    """`light`, `medium`, `heavy`, `shields`."""


@dataclass(frozen=True, slots=True)
class StatBlock:
    id: str
    name: str
    size: str
    type: str
    ac: int
    hp: int
    abilities: Mapping[str, int]
    """Scores by abbreviation: str, dex, ..."""
    alignment: str = ""
    armor: tuple[str, ...] = ()
    """The armour it wears, in words."""
    hit_dice: str = ""
    speeds: Mapping[str, int] = field(default_factory=dict)
    """In feet: walk, fly, swim, climb, burrow."""
    hover: bool = False
    saves: Mapping[str, int] = field(default_factory=dict)
    skills: Mapping[str, int] = field(default_factory=dict)
    senses: Mapping[str, int] = field(default_factory=dict)
    """In feet: darkvision, blindsight, tremorsense, truesight."""
    languages: str = ""
    vulnerabilities: tuple[str, ...] = ()
    """Printed phrases: `fire`, or `bludgeoning from nonmagical attacks`."""
    resistances: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    condition_immunities: tuple[str, ...] = ()
    cr: float | None = None
    xp: int | None = None
    level: int | None = None
    """For characters only."""
    proficiency: int | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    spells: Mapping[str, int | None] = field(default_factory=dict)
    """Spells that the format lists in fields, by name, each with its uses per day; None if it takes slots."""
    spell_ability: str | None = None
    slots: Mapping[int, int] = field(default_factory=dict)
    pact_magic: bool = False
    """Whether a short rest restores its slots."""
    is_character: bool = False
    training: Training = Training()
    """For characters only."""
    classes: Mapping[str, int] = field(default_factory=dict)
    """For characters: the levels in each class."""


@dataclass(frozen=True, slots=True)
class SpellBlock:
    id: str
    name: str
    level: int
    casting_time: str
    """`action`, `bonus action`, `reaction`, or longer."""
    range: int | None
    """In feet; 0 for self, 5 for touch, None if it is not in feet."""
    text: str
    higher: str = ""
    concentration: bool = False
    duration: str = ""
    attack: str | None = None
    """`melee` or `ranged`, if the spell has a spell attack."""
    save: str | None = None
    saved: str | None = None
    """The damage on a successful save: `half` or `nothing`."""
    damage: Mapping[int, str] = field(default_factory=dict)
    """Dice by slot level; for a cantrip, by the caster's level."""
    damage_type: str | None = None
    healing: Mapping[int, str] = field(default_factory=dict)
    shape: str | None = None
    size: int | None = None


_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_RECHARGE = re.compile(r"recharge (\d)", re.IGNORECASE)
_AFTER_REST = re.compile(r"recharges? after a (short|long)", re.IGNORECASE)
_PER_DAY = re.compile(r"(\d+) ?/ ?day", re.IGNORECASE)
_COST = re.compile(r"costs (\d) actions", re.IGNORECASE)


def paragraph(part: StatBlockPart, name: str, text: str, **known: object) -> Paragraph:
    """A paragraph with a name that may give its uses and its cost in brackets."""
    remarks = _BRACKETS.findall(name)
    read: dict[str, object] = {"remark": "; ".join(remark for remark in remarks if not _is_usage(remark))}
    for remark in remarks:
        read |= _usage(remark)
    read |= {key: value for key, value in known.items() if value is not None}
    plain = _BRACKETS.sub("", name).strip().rstrip(".") or name
    return Paragraph(part, plain, text.strip(), **read)  # type: ignore[arg-type]


def _is_usage(remark: str) -> bool:
    return bool(_usage(remark))


def _usage(remark: str) -> dict[str, object]:
    if found := _RECHARGE.search(remark):
        return {"recharge": int(found[1]), "uses": 1}
    if found := _AFTER_REST.search(remark):
        return {"uses": 1, "per_rest": found[1].lower() == "short"}
    if found := _PER_DAY.search(remark):
        return {"uses": int(found[1])}
    if found := _COST.search(remark):
        return {"cost": int(found[1])}
    return {}


@dataclass(frozen=True, slots=True)
class DamageAmount:
    """Damage dice and their type."""

    dice: str
    type: str


@dataclass(frozen=True, slots=True)
class AttackPhrase:
    """An attack in numbers."""

    to_hit: int
    damage: tuple[DamageAmount, ...] = ()
    ways: tuple[str, ...] = ("melee",)
    """`melee`, `ranged` or both."""
    by_spell: bool = False
    reach: int = 5
    range: tuple[int, int] | None = None

    @property
    def phrase(self) -> str:
        """`Melee Weapon Attack: +5 to hit, reach 5 ft., one target`"""
        spans = [f"reach {self.reach} ft."] if "melee" in self.ways else []
        if self.range is not None:
            near, far = self.range
            spans.append(f"range {near}/{far} ft." if far != near else f"range {near} ft.")
        way, means = " or ".join(self.ways).capitalize(), "Spell" if self.by_spell else "Weapon"
        return f"{way} {means} Attack: {self.to_hit:+d} to hit, {' or '.join(spans) or 'reach 5 ft.'}, one target"

    @property
    def sentences(self) -> str:
        hit = f" Hit: {damage_phrase(self.damage)} damage." if self.damage else ""
        return f"{self.phrase}.{hit}"


@dataclass(frozen=True, slots=True)
class SavePhrase:
    """A saving throw and its effects, in numbers."""

    ability: str
    dc: int
    damage: tuple[DamageAmount, ...] = ()
    halved: bool = True
    area: str = ""
    """A shape and its size in feet, such as `30-foot cone`."""
    range: int | None = None
    conditions: tuple[str, ...] = ()

    @property
    def phrase(self) -> str:
        return f"DC {self.dc} {ABILITIES.get(self.ability, 'dexterity').capitalize()}"

    def sentence(self, *, follows_a_hit: bool = False) -> str:
        """`Each creature in a 30-foot cone must make a DC 13 Dexterity saving throw, taking ...`"""
        away = f" within {self.range} feet" if self.range else ""
        one = "The target" if follows_a_hit else f"One target{away}"
        where = f"Each creature in a {self.area}" if self.area else one
        suffers = " and ".join(f"be {condition}" for condition in self.conditions)
        if self.damage and self.halved:
            harm = f"taking {damage_phrase(self.damage)} damage on a failed save"
            made = (
                f"{where} must make a {self.phrase} saving throw, {harm}, or half as much damage on a successful one."
            )
            return f"{made} On a failed save, it must also {suffers} for 1 minute." if suffers else made
        harm = f"take {damage_phrase(self.damage)} damage" if self.damage else ""
        then = " and ".join(filter(None, [harm, f"{suffers} for 1 minute" if suffers else ""])) or "suffer the effect"
        return f"{where} must succeed on a {self.phrase} saving throw or {then}."


def damage_phrase(amounts: Sequence[DamageAmount]) -> str:
    """`7 (2d6) fire damage plus ...`, without the last `damage`."""
    return " damage plus ".join(f"{averaged(amount.dice)} {amount.type}".strip() for amount in amounts)


def averaged(dice: str) -> str:
    """`13 (2d8 + 4)`"""
    found = re.fullmatch(r"(\d+)d(\d+)([+-]\d+)?", dice)
    if found is None:
        return dice
    average = int(found[1]) * (int(found[2]) + 1) // 2 + int(found[3] or 0)
    bonus = f" {found[3][0]} {found[3][1:]}" if found[3] else ""
    return f"{max(average, 1)} ({found[1]}d{found[2]}{bonus})"
