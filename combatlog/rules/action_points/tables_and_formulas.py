"""The tables of the rules as printed, and the formulas: pure arithmetic, without state or dice."""

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
    """The damage dice of a success value, the divisor of their sum, and the increase in damage class."""

    dice: str
    divisor: int = 1
    classes: int = 0


@dataclass(frozen=True, slots=True)
class PoolDamage:
    """The effect of an amount of damage on the pools."""

    fat: int
    vit: int = 0
    wounds: int = 0


@dataclass(frozen=True, slots=True)
class PhysicalityResult:
    """The result of a Physicality check after a blow: more success value, or a penalty to attacks for some rounds."""

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
"""The rounds needed to recover 1 FAT, by current VIT: a minute, half an hour, an hour, never. Above these, 1 round."""
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
"""The damage roll by success value. From 15 on, it is in the next damage class; the last row is for 19 and above."""
CLASS_FACTOR = 10
"""The factor for damage to a body of the next lower class."""

PHYSICALITY_TV = 8
MIGHT_FROM = (
    (12, PhysicalityResult(success=4)),
    (8, PhysicalityResult(success=3)),
    (4, PhysicalityResult(success=2)),
    (2, PhysicalityResult(success=1)),
    (-2, PhysicalityResult()),
    (-4, PhysicalityResult(penalty=1, rounds=1)),
    (-6, PhysicalityResult(penalty=2, rounds=1)),
    (-8, PhysicalityResult(penalty=2, rounds=2)),
)
"""The effect of a Physicality check, by the lowest success value for it."""
FEEBLE = PhysicalityResult(penalty=3, rounds=3)
"""The effect of a Physicality check below all rows."""

PROTECTION_TV = 8
"""The TV of raising a shield, and of an armour check."""
WORN_AT = 4
"""When at most this fraction (one in four) of the durability is left, absorption is halved."""

VIT_AND_WOUNDS = MappingProxyType({5: (1, 0), 6: (2, 0), 7: (4, 1), 8: (6, 1), 9: (8, 1)})
"""VIT damage and wounds, by damage, for damage that does not fully affect VIT. Smaller damage only costs FAT."""
WOUNDS_FROM = ((20, 4), (15, 3), (10, 2))
"""Wounds, by the lowest damage that causes them, for damage that fully affects VIT."""

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
"""Half seconds between shots, by the lowest skill level for it."""

FREE_METRES = 4
SPRINT_METRES = 9
FULL_SPRINT_METRES = 25


def maximum_ap(total_skill_levels: int) -> int:
    return max(1, _divided_up(total_skill_levels, 10))


def ap_recovery(fat: int) -> int:
    return max(1, fat // 4)


def maximum_fat(endurance: int, will: int) -> int:
    return endurance + will - 5


def maximum_vit(strength: int) -> int:
    return 2 * strength - 5


def quality(success_value: int) -> Quality:
    return next((name for lowest, name in QUALITY_FROM if success_value >= lowest), Quality.CRITICAL_FAILURE)


def focus_tv(fat: int, vit: int) -> int | None:
    """The TV of the Focus check needed to act; the harder one if both pools need one, None if neither does."""
    asked = [tv for tv in (LOW_FAT_FOCUS.get(fat), LOW_VIT_FOCUS.get(vit)) if tv is not None]
    return max(asked, default=None)


def damage_roll(success_value: int) -> DamageRoll:
    """The damage roll of a success value. Anything above the table uses its last row."""
    return DAMAGE_ROLLS[min(success_value, max(DAMAGE_ROLLS))]


def damage(rolled: int, divisor: int, factor: int = 1) -> int:
    """The damage of a roll. Divided dice are rounded up, and every hit does at least 1 damage."""
    return max(1, _divided_up(rolled * factor, divisor))


def physicality_result(success_value: int) -> PhysicalityResult:
    """The effect on a blow of a Physicality check with this success value."""
    return next((found for lowest, found in MIGHT_FROM if success_value >= lowest), FEEBLE)


def worn_rating(rating: int, durability: int, maximum: int) -> int:
    """The absorption of a worn piece: half, rounded up, at a quarter of its durability, and none when broken."""
    if durability <= 0:
        return 0
    return _divided_up(rating, 2) if durability * WORN_AT <= maximum else rating


def cooldown(level: int) -> int:
    """Half seconds until the next shot, by skill level."""
    return next(halves for lowest, halves in COOLDOWN_FROM if level >= lowest)


def recovers_fat(vit: int, round: int) -> bool:
    """Whether baseline FAT is recovered at the end of this round; with low VIT, it takes longer or never happens."""
    every = RECOVERY_ROUNDS.get(vit, 1)
    return every is not None and round % every == 0


def pool_damage(damage: int) -> PoolDamage:
    """The effect of damage on the pools. Anything above 20 counts as the last row of the table."""
    if damage < min(VIT_AND_WOUNDS):
        return PoolDamage(fat=damage)
    if damage in VIT_AND_WOUNDS:
        return PoolDamage(damage, *VIT_AND_WOUNDS[damage])
    return PoolDamage(damage, damage, next(wounds for lowest, wounds in WOUNDS_FROM if damage >= lowest))


def applied_of(pending: int) -> int:
    """The part of a pending pool applied at the end of a round: half, rounded up, so that the pool runs out."""
    return _divided_up(pending, 2)


def _divided_up(amount: int, divisor: int) -> int:
    return -(-amount // divisor)
