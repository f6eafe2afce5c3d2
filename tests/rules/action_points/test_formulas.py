"""Every table and example of the rules, with its numbers."""

from __future__ import annotations

import pytest

from combatlog.rules.action_points.economy_and_vitality import COSTS, BoostOptions, Payment, PointCost
from combatlog.rules.action_points.sheet import read_sheet
from combatlog.rules.action_points.tables_and_formulas import (
    DIFFICULTIES,
    DamageRoll,
    PhysicalityResult,
    PoolDamage,
    ap_recovery,
    applied_of,
    cooldown,
    damage,
    damage_roll,
    focus_tv,
    maximum_ap,
    maximum_fat,
    maximum_vit,
    physicality_result,
    pool_damage,
    quality,
    recovers_fat,
    worn_rating,
)
from tests.cases import each


@each(
    ("levels", "ap"),
    [(0, 1), (10, 1), (11, 2), (15, 2), (20, 2), (21, 3), (30, 3), (31, 4), (40, 4), (41, 5), (47, 5), (120, 12)],
)
def test_maximum_ap(levels: int, ap: int) -> None:
    assert maximum_ap(levels) == ap


def test_total_skill_levels_are_the_sum_of_all_levels() -> None:
    attributes = dict.fromkeys(("str", "dex", "end", "int", "per", "wil"), 10)
    sheet = read_sheet({"name": "X", "attributes": attributes, "skills": {"swords": 3, "dodge": 2, "focus": 4}})
    assert sheet.total_skill_levels == 9
    assert sheet.resources()["ap"].current == sheet.resources()["ap"].maximum == 1


@pytest.mark.parametrize(("fat", "ap"), [(16, 4), (8, 2), (7, 1), (4, 1), (3, 1), (0, 1)])
def test_ap_recovery(fat: int, ap: int) -> None:
    assert ap_recovery(fat) == ap


def test_payments() -> None:
    assert COSTS[Payment.STANDARD] == PointCost(ap=1, fat=1)
    assert COSTS[Payment.FATIGUE_FREE] == PointCost(ap=2, fat=0)


@pytest.mark.parametrize(
    ("effort", "cost"),
    [
        (BoostOptions(), PointCost(1, 1)),
        (BoostOptions(boost_ap=2), PointCost(3, 1)),
        (BoostOptions(boost_fat=2), PointCost(1, 3)),
        (BoostOptions(pay=Payment.FATIGUE_FREE, boost_ap=1, boost_fat=3), PointCost(3, 3)),
    ],
)
def test_every_point_of_a_boost_is_paid_for(effort: BoostOptions, cost: PointCost) -> None:
    assert effort.cost == cost


def test_pools_from_attributes() -> None:
    assert maximum_fat(endurance=10, will=11) == 16
    assert maximum_vit(strength=9) == 13


@each(
    ("fat", "vit", "tv"),
    [
        (4, 4, None),
        (3, 10, 5),
        (2, 10, 7),
        (1, 10, 12),
        (10, 3, 7),
        (10, 2, 12),
        (3, 3, 7),  # both ask: the harder counts
        (1, 3, 12),
        (2, 3, 7),
        (3, 2, 12),
    ],
)
def test_focus_checks_of_the_low(fat: int, vit: int, tv: int | None) -> None:
    assert focus_tv(fat, vit) == tv


def test_fixed_target_values() -> None:
    assert dict(DIFFICULTIES) == {
        "trivial": 2,
        "easy": 4,
        "routine": 6,
        "moderate": 8,
        "challenging": 10,
        "hard": 12,
        "very hard": 14,
        "extreme": 16,
    }


@each(
    ("values", "name"),
    [
        ((0, 1), "marginal"),
        ((2, 3), "standard"),
        ((4, 5), "good"),
        ((6, 7), "excellent"),
        ((8, 9, 20), "outstanding"),
        ((-1, -2), "minor failure"),
        ((-3, -4), "failure"),
        ((-5, -6), "bad"),
        ((-7, -8), "severe"),
        ((-9, -10, -30), "critical"),
    ],
)
def test_quality(values: tuple[int, ...], name: str) -> None:
    assert {quality(value) for value in values} == {name}


@each(
    ("success_value", "dice", "divisor"),
    [
        (0, "1d6", 3),
        (1, "1d6", 2),
        (2, "1d6", 1),
        (3, "1d8", 1),
        (4, "1d10", 1),
        (5, "1d12", 1),
        (6, "1d6+1d8", 1),
        (7, "2d8", 1),
        (8, "2d10", 1),
        (9, "2d12", 1),
        (10, "3d10", 1),
        (11, "3d12", 1),
        (12, "4d10", 1),
        (14, "4d10", 1),
    ],
)
def test_damage_rolls(success_value: int, dice: str, divisor: int) -> None:
    assert damage_roll(success_value) == DamageRoll(dice, divisor)


@pytest.mark.parametrize(
    ("success_value", "dice"),
    [(15, "1d6"), (16, "1d6"), (17, "1d8"), (18, "1d8"), (19, "1d10"), (20, "1d10"), (30, "1d10")],
)
def test_damage_rolls_of_the_next_class(success_value: int, dice: str) -> None:
    assert damage_roll(success_value) == DamageRoll(dice, classes=1)


@each(
    ("values", "found"),
    [
        ((-30, -10, -9), PhysicalityResult(penalty=3, rounds=3)),
        ((-8, -7), PhysicalityResult(penalty=2, rounds=2)),
        ((-6, -5), PhysicalityResult(penalty=2, rounds=1)),
        ((-4, -3), PhysicalityResult(penalty=1, rounds=1)),
        ((-2, 0, 1), PhysicalityResult()),
        ((2, 3), PhysicalityResult(success=1)),
        ((4, 7), PhysicalityResult(success=2)),
        ((8, 11), PhysicalityResult(success=3)),
        ((12, 18, 30), PhysicalityResult(success=4)),
    ],
)
def test_physicality(values: tuple[int, ...], found: PhysicalityResult) -> None:
    assert {physicality_result(value) for value in values} == {found}


@each(
    ("level", "halves"),
    [(0, 12), (1, 10), (2, 8), (3, 6), (4, 4), (5, 4), (6, 2), (7, 2), (8, 1), (9, 1), (10, 0), (20, 0)],
)
def test_seconds_between_shots(level: int, halves: int) -> None:
    assert cooldown(level) == halves


@pytest.mark.parametrize(
    ("vit", "rounds"),
    [(5, [1, 2, 20, 600, 1200]), (4, [20, 600, 1200]), (3, [600, 1200]), (2, [1200]), (1, [])],
)
def test_the_severely_injured_recover_slowly(vit: int, rounds: list[int]) -> None:
    assert [number for number in (1, 2, 20, 600, 1200) if recovers_fat(vit, number)] == rounds


@pytest.mark.parametrize(("left", "absorbs"), [(20, 5), (6, 5), (5, 3), (1, 3), (0, 0)])
def test_what_is_worn_absorbs_half_and_then_nothing(left: int, absorbs: int) -> None:
    assert worn_rating(5, left, maximum=20) == absorbs


@each(
    ("rolled", "divisor", "points"),
    [(1, 3, 1), (3, 3, 1), (4, 3, 2), (6, 3, 2), (1, 2, 1), (3, 2, 2), (6, 2, 3), (5, 1, 5)],
)
def test_divided_dice_round_up(rolled: int, divisor: int, points: int) -> None:
    assert damage(rolled, divisor) == points


@each(
    ("points", "done"),
    [
        (1, PoolDamage(1, 0, 0)),
        (4, PoolDamage(4, 0, 0)),
        (5, PoolDamage(5, 1, 0)),
        (6, PoolDamage(6, 2, 0)),
        (7, PoolDamage(7, 4, 1)),
        (8, PoolDamage(8, 6, 1)),
        (9, PoolDamage(9, 8, 1)),
        (10, PoolDamage(10, 10, 2)),
        (11, PoolDamage(11, 11, 2)),
        (14, PoolDamage(14, 14, 2)),
        (15, PoolDamage(15, 15, 3)),
        (19, PoolDamage(19, 19, 3)),
        (20, PoolDamage(20, 20, 4)),
        (40, PoolDamage(40, 40, 4)),
    ],
)
def test_damage_to_pools(points: int, done: PoolDamage) -> None:
    assert pool_damage(points) == done


@pytest.mark.parametrize(("waiting", "applied"), [(0, 0), (1, 1), (2, 1), (5, 3), (10, 5)])
def test_half_of_a_pending_pool_rounded_up(waiting: int, applied: int) -> None:
    assert applied_of(waiting) == applied


def test_a_pending_pool_reaches_zero() -> None:
    waiting, applied = 7, []
    while waiting:
        applied.append(applied_of(waiting))
        waiting -= applied[-1]
    assert applied == [4, 2, 1]
