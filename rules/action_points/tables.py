"""The tables of the rules, as printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Quality(StrEnum):
    """How well a check succeeded or how badly it failed, from worst to best."""

    CRITICAL_FAILURE = "critical failure"
    SEVERE_FAILURE = "severe failure"
    BAD_FAILURE = "bad failure"
    FAILURE = "failure"
    MINOR_FAILURE = "minor failure"
    MARGINAL = "marginal"
    STANDARD = "standard"
    GOOD = "good"
    EXCELLENT = "excellent"
    OUTSTANDING = "outstanding"


@dataclass(frozen=True, slots=True)
class DamageRoll:
    """The damage dice of a success value, and the divisor of their sum."""

    dice: str
    divisor: int = 1


@dataclass(frozen=True, slots=True)
class Harm:
    """What an amount of damage does to the pools."""

    fat: int
    vit: int = 0
    wounds: int = 0


DIFFICULTIES = MappingProxyType(
    {
        "trivial": 2,
        "easy": 4,
        "routine": 6,
        "moderate": 8,
        "challenging": 10,
        "hard": 12,
        "very hard": 14,
        "extreme": 16,
    }
)

QUALITY_FROM = (
    (8, Quality.OUTSTANDING),
    (6, Quality.EXCELLENT),
    (4, Quality.GOOD),
    (2, Quality.STANDARD),
    (0, Quality.MARGINAL),
    (-2, Quality.MINOR_FAILURE),
    (-4, Quality.FAILURE),
    (-6, Quality.BAD_FAILURE),
    (-8, Quality.SEVERE_FAILURE),
)
"""The lowest success value of each quality, best first. Anything lower is a critical failure."""

LOW_FAT_FOCUS = MappingProxyType({3: 5, 2: 7, 1: 12})
"""The TV of the Focus check needed to act, by current FAT."""
LOW_VIT_FOCUS = MappingProxyType({3: 7, 2: 12})
"""The TV of the Focus check needed to act, by current VIT."""
INCAPACITATED_VIT = 1
EXHAUSTION_VIT_DAMAGE = 2

DAMAGE_ROLLS = MappingProxyType(
    {
        0: DamageRoll("1d6", 3),
        1: DamageRoll("1d6", 2),
        2: DamageRoll("1d6"),
        3: DamageRoll("1d8"),
        4: DamageRoll("1d10"),
        5: DamageRoll("1d12"),
        6: DamageRoll("1d6+1d8"),
        7: DamageRoll("2d8"),
        8: DamageRoll("2d10"),
        9: DamageRoll("2d12"),
        10: DamageRoll("3d10"),
        11: DamageRoll("3d12"),
        12: DamageRoll("4d10"),
        13: DamageRoll("4d10"),
        14: DamageRoll("4d10"),
    }
)
"""The damage roll by success value. The next damage class begins above the last row; no table describes it."""

VIT_AND_WOUNDS = MappingProxyType({5: (1, 0), 6: (2, 0), 7: (4, 1), 8: (6, 1), 9: (8, 1)})
"""VIT damage and wounds by damage, as long as VIT damage is less than the damage. Smaller damage costs FAT only."""
WOUNDS_FROM = ((20, 4), (15, 3), (10, 2))
"""Wounds by the lowest damage that causes them, once VIT damage equals the damage."""

SKILL_BASE = -5
PASSIVE = -1
LATER_ACTION = -1
WOUND = -2
SHIELD_BLOCK_TV = 8
BASELINE_FAT_RECOVERY = 1
WOUND_ROUNDS = 2
"""Wounds cost FAT at the end of every second round."""

FREE_METRES = 4
SPRINT_METRES = 9
FULL_SPRINT_METRES = 25
