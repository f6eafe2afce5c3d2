"""The tables of the rules, as printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Quality(StrEnum):
    """How well a check succeeded or how badly it failed, from worst to best."""

    CRITICAL_FAILURE = "critical"
    SEVERE_FAILURE = "severe"
    BAD_FAILURE = "bad"
    FAILURE = "failure"
    MINOR_FAILURE = "minor failure"
    MARGINAL = "marginal"
    STANDARD = "standard"
    GOOD = "good"
    EXCELLENT = "excellent"
    OUTSTANDING = "outstanding"


@dataclass(frozen=True, slots=True)
class DamageRoll:
    """The damage dice of a success value, the divisor of their sum, and how many damage classes it rises by."""

    dice: str
    divisor: int = 1
    classes: int = 0


@dataclass(frozen=True, slots=True)
class Harm:
    """What an amount of damage does to the pools."""

    fat: int
    vit: int = 0
    wounds: int = 0


@dataclass(frozen=True, slots=True)
class Might:
    """What a Physicality check after a blow comes to: more success value, or a penalty to attacks for some rounds."""

    success: int = 0
    penalty: int = 0
    rounds: int = 0


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
RECOVERY_ROUNDS = MappingProxyType({4: 20, 3: 600, 2: 1200, 1: None})
"""In how many rounds a FAT is recovered, by current VIT: a minute, half an hour, an hour, never. Above it, in one."""
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
        15: DamageRoll("1d6", classes=1),
        16: DamageRoll("1d6", classes=1),
        17: DamageRoll("1d8", classes=1),
        18: DamageRoll("1d8", classes=1),
        19: DamageRoll("1d10", classes=1),
    }
)
"""The damage roll by success value. From 15 on it is in the next damage class; the last row stands for all above it."""
CLASS_FACTOR = 10
"""How much more the damage of a class does to a body of the class below."""

PHYSICALITY_TV = 8
MIGHT_FROM = (
    (12, Might(success=4)),
    (8, Might(success=3)),
    (4, Might(success=2)),
    (2, Might(success=1)),
    (-2, Might()),
    (-4, Might(penalty=1, rounds=1)),
    (-6, Might(penalty=2, rounds=1)),
    (-8, Might(penalty=2, rounds=2)),
)
"""The effect of a Physicality check by its lowest success value."""
FEEBLE = Might(penalty=3, rounds=3)
"""The effect of a Physicality check that is worse than all rows."""

PROTECTION_TV = 8
"""The TV of raising a shield, and of an armour check."""
WORN_AT = 4
"""Once at most one part in so many of the durability is left, absorption is halved."""

VIT_AND_WOUNDS = MappingProxyType({5: (1, 0), 6: (2, 0), 7: (4, 1), 8: (6, 1), 9: (8, 1)})
"""VIT damage and wounds by damage, as long as VIT damage is less than the damage. Smaller damage costs FAT only."""
WOUNDS_FROM = ((20, 4), (15, 3), (10, 2))
"""Wounds by the lowest damage that causes them, once VIT damage equals the damage."""

SKILL_BASE = -5
PASSIVE = -1
LATER_ACTION = -1
WOUND = -2
AIM = 2
BASELINE_FAT_RECOVERY = 1
WOUND_ROUNDS = 2
"""Wounds cost FAT at the end of every second round."""

SECONDS_PER_ROUND = 3
HALVES_PER_ROUND = 2 * SECONDS_PER_ROUND
COOLDOWN_FROM = ((10, 0), (8, 1), (6, 2), (4, 4), (3, 6), (2, 8), (1, 10), (0, 12))
"""Half seconds between shots, by the lowest skill level."""

FREE_METRES = 4
SPRINT_METRES = 9
FULL_SPRINT_METRES = 25
