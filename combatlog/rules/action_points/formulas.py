"""The formulas of the rules. Pure arithmetic: no state, no dice."""

from __future__ import annotations

from combatlog.rules.action_points.tables import (
    COOLDOWN_FROM,
    DAMAGE_ROLLS,
    FEEBLE,
    LOW_FAT_FOCUS,
    LOW_VIT_FOCUS,
    MIGHT_FROM,
    QUALITY_FROM,
    RECOVERY_ROUNDS,
    VIT_AND_WOUNDS,
    WORN_AT,
    WOUNDS_FROM,
    DamageRoll,
    Harm,
    Might,
    Quality,
)


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
    """Divided dice are rounded up, and every hit does at least 1 damage."""
    return max(1, _divided_up(rolled * factor, divisor))


def might(success_value: int) -> Might:
    """What a Physicality check with this success value adds to a blow."""
    return next((found for lowest, found in MIGHT_FROM if success_value >= lowest), FEEBLE)


def worn_rating(rating: int, durability: int, maximum: int) -> int:
    """What something worn still absorbs: half, rounded up, at a quarter of its durability, and nothing when broken."""
    if durability <= 0:
        return 0
    return _divided_up(rating, 2) if durability * WORN_AT <= maximum else rating


def cooldown(level: int) -> int:
    """Half seconds until the next shot, by skill level."""
    return next(halves for lowest, halves in COOLDOWN_FROM if level >= lowest)


def recovers_fat(vit: int, round: int) -> bool:
    """Whether the baseline FAT comes at the end of this round: the severely injured wait longer for it, or forever."""
    every = RECOVERY_ROUNDS.get(vit, 1)
    return every is not None and round % every == 0


def harm(damage: int) -> Harm:
    """What an amount of damage does to the pools. Anything above 20 counts like the last row of the table."""
    if damage < min(VIT_AND_WOUNDS):
        return Harm(fat=damage)
    if damage in VIT_AND_WOUNDS:
        return Harm(damage, *VIT_AND_WOUNDS[damage])
    return Harm(damage, damage, next(wounds for lowest, wounds in WOUNDS_FROM if damage >= lowest))


def applied_of(pending: int) -> int:
    """The part of a pending pool applied at the end of a round: half, rounded up, so that the pool runs out."""
    return _divided_up(pending, 2)


def _divided_up(amount: int, divisor: int) -> int:
    return -(-amount // divisor)
