"""Spell slots of characters by the levels of their classes, as every table of the game has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum


class Progression(StrEnum):
    """How fast a class gains slots."""

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
    """The slots by their level of somebody with levels in these classes; pact magic is separate."""
    counted = [(how, level) for how, level in classes if how not in (Progression.NONE, Progression.PACT)]
    caster = _caster_level(counted)
    return dict(enumerate(_BY_LEVEL[min(20, caster) - 1], start=1)) if caster else {}


def _caster_level(classes: Sequence[tuple[Progression, int]]) -> int:
    """Somebody with a single class rounds up once the class has slots at all; with several, fractions are dropped."""
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
    """The slots of a warlock: all of the same level."""
    if level < 1:
        return {}
    count = 1 if level == 1 else 2 if level < 11 else 3 if level < 17 else 4
    return {min(5, (level + 1) // 2): count}
