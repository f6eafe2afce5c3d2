"""What every format is read into: stat blocks and spells, with their paragraphs in the phrases of printed ones.

Formats differ in how much they say with fields. What they leave to prose stays prose here; a ruleset reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
"""The abilities by what sheets call them."""


class Part(StrEnum):
    """The part of a stat block that a paragraph stands in."""

    TRAIT = "trait"
    ACTION = "action"
    BONUS_ACTION = "bonus action"
    REACTION = "reaction"
    LEGENDARY = "legendary action"
    LAIR = "lair action"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where content comes from, and on which terms."""

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

    part: Part
    name: str
    text: str
    recharge: int | None = None
    """The lowest face of a d6 that gives it back."""
    uses: int | None = None
    per_rest: bool = False
    """Whether a short rest gives its uses back; otherwise, a day does."""
    cost: int = 1
    """In legendary actions."""
    remark: str = ""
    """What its name says in brackets besides all this, such as a form it is limited to."""
    routines: tuple[Mapping[str, int], ...] = ()
    """If it is a multiattack and the format says so with fields: how often which attack, for each alternative."""
    weapon: str = ""
    """Of a character's attack: the ordinary weapon that it is made with, such as `longsword`, if the format says so."""


@dataclass(frozen=True, slots=True)
class Training:
    """What a character is proficient in."""

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
    """By the first three letters: str, dex, ..."""
    alignment: str = ""
    armor: tuple[str, ...] = ()
    """What it wears, in words."""
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
    """Phrases as printed: `fire`, or `bludgeoning from nonmagical attacks`."""
    resistances: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    condition_immunities: tuple[str, ...] = ()
    cr: float | None = None
    xp: int | None = None
    level: int | None = None
    """Of a character."""
    proficiency: int | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    spells: Mapping[str, int | None] = field(default_factory=dict)
    """Spells that the format lists with fields, by name, with how often a day: None if they take slots."""
    spell_ability: str | None = None
    slots: Mapping[int, int] = field(default_factory=dict)
    pact_magic: bool = False
    """Whether a short rest gives its slots back."""
    is_character: bool = False
    training: Training = Training()
    """Of a character."""
    classes: Mapping[str, int] = field(default_factory=dict)
    """Of a character: its levels in each class."""


@dataclass(frozen=True, slots=True)
class Spell:
    id: str
    name: str
    level: int
    casting_time: str
    """`action`, `bonus action`, `reaction`, or longer."""
    range: int | None
    """In feet; 0 for oneself, 5 for touch, None if it is not in feet."""
    text: str
    higher: str = ""
    concentration: bool = False
    duration: str = ""
    attack: str | None = None
    """`melee` or `ranged`, if a spell attack is made."""
    save: str | None = None
    saved: str | None = None
    """`half` or `nothing`: the damage on a successful save."""
    damage: Mapping[int, str] = field(default_factory=dict)
    """Dice by slot level; those of a cantrip by the caster's level."""
    damage_type: str | None = None
    healing: Mapping[int, str] = field(default_factory=dict)
    shape: str | None = None
    size: int | None = None


_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_RECHARGE = re.compile(r"recharge (\d)", re.IGNORECASE)
_AFTER_REST = re.compile(r"recharges? after a (short|long)", re.IGNORECASE)
_PER_DAY = re.compile(r"(\d+) ?/ ?day", re.IGNORECASE)
_COST = re.compile(r"costs (\d) actions", re.IGNORECASE)


def paragraph(part: Part, name: str, text: str, **known: object) -> Paragraph:
    """A paragraph whose name may say in brackets how often it can be used and what it costs."""
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
