"""Odds and tests against values from the books."""

from __future__ import annotations

from fractions import Fraction

import pytest

from projections.battle.dice import read_notation
from projections.statistics.luck import chance_to_hit
from projections.statistics.odds import Interval, beyond_chi_squared, fairness, in_words, interval, luck, mean, odds_of
from tests.cases import each


@each(
    ("notation", "total", "chance"),
    [
        ("1d20", 20, Fraction(1, 20)),
        ("2d20kh1", 20, Fraction(39, 400)),
        ("2d20kl1", 20, Fraction(1, 400)),
        ("2d6", 7, Fraction(6, 36)),
        ("2d6+3", 10, Fraction(6, 36)),
        ("1d6+1d8", 14, Fraction(1, 48)),
        ("4d6kh3", 18, Fraction(21, 1296)),
        ("4dF", 0, Fraction(19, 81)),
        ("4dF+", 4, Fraction(1, 81) * Fraction(16, 81)),
        ("4dF+", 5, Fraction(1, 81) * Fraction(32, 81)),
        ("2d{0,0,1,2}", 4, Fraction(1, 16)),
    ],
)
def test_exact_odds(notation: str, total: int, chance: Fraction) -> None:
    odds = odds_of(notation)
    assert odds is not None
    assert odds[total] == chance
    assert sum(odds.values()) == 1


def test_means() -> None:
    for notation, expected in (("2d20kh1", Fraction(13825, 1000)), ("3d6-1", Fraction(19, 2)), ("4dF+", Fraction(0))):
        odds = odds_of(notation)
        assert odds is not None
        assert mean(odds) == expected


@pytest.mark.parametrize("notation", ["1d{a,b}", "whatever", "", "9d100kh1"])
def test_what_has_no_odds(notation: str) -> None:
    assert odds_of(notation) is None


def test_natural_hits_and_misses() -> None:
    assert chance_to_hit("dnd5e", "1d20", 30) == Fraction(1, 20)
    assert chance_to_hit("dnd5e", "1d20", -5) == Fraction(19, 20)
    assert chance_to_hit("other", "1d20", -5) == 1


@pytest.mark.parametrize(
    ("value", "degrees", "chance"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.070, 5, 0.05), (30.144, 19, 0.05), (36.191, 19, 0.01), (0.0, 5, 1.0)],
)
def test_the_table_of_chi_squared(value: float, degrees: int, chance: float) -> None:
    assert beyond_chi_squared(value, degrees) == pytest.approx(chance, abs=0.0001)


def test_a_loaded_die_and_a_fair_one() -> None:
    assert fairness(6, dict.fromkeys(range(1, 7), 10)).verdict == "nothing suspicious"
    loaded = fairness(6, {1: 5, 2: 5, 3: 5, 4: 5, 5: 5, 6: 35})
    assert loaded.chi_squared == pytest.approx(75.0)
    assert loaded.verdict.startswith("hardly fair")
    assert fairness(20, {20: 50}).p_value is None


def test_luck_is_exact_for_few_and_close_for_many() -> None:
    half = Fraction(1, 2)
    assert luck([(half, 10)], 10) == pytest.approx(2 / 1024)
    assert luck([(half, 10)], 5) == 1.0
    assert luck([(half, 10_000)], 5_100) == pytest.approx(0.0466, abs=0.0005)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        # Of ten coins, at most one shows heads in 11 of 1024 cases, at most two in 56 of them.
        ([(Fraction(1, 2), 10)], (2, 8)),
        # One of sixteen cases at either end is more than one in forty.
        ([(Fraction(1, 2), 4)], (0, 4)),
        # A natural 20: of three, two or three come up in 57 + 1 of 8000 cases, and at least one in 1141.
        ([(Fraction(1, 20), 3)], (0, 1)),
        ([(Fraction(1), 3)], (3, 3)),
        ([(Fraction(0), 3)], (0, 0)),
        # On the normal curve: 50 on average to either side, times 1.96, is 98.
        ([(Fraction(1, 2), 10_000)], (4902, 5098)),
        ([(Fraction(1), 1_000)], (1000, 1000)),
    ],
)
def test_the_hits_that_chance_explains(chances: list[tuple[Fraction, int]], expected: tuple[int, int]) -> None:
    found = interval(chances)
    assert (found.low, found.high) == expected


@pytest.mark.parametrize(
    ("hits", "p_value", "said"),
    [
        (2, 0.06, "within chance"),
        (8, 0.06, "within chance"),
        (9, 0.021, "lucky"),
        (1, 0.021, "unlucky"),
        (10, 0.002, "very lucky"),
        (0, 0.002, "very unlucky"),
    ],
)
def test_only_what_chance_does_not_explain_is_luck(hits: int, p_value: float, said: str) -> None:
    assert in_words(hits, Interval(2, 5.0, 8), p_value) == said


def test_the_dice_of_a_notation() -> None:
    notation = read_notation("1d20+2d6kh1 + 3")
    assert notation is not None
    assert [die.name for die in notation.dice(3)] == ["d20", "d6", "d6"]
    exploded = read_notation("4dF+")
    assert exploded is not None
    assert [(die.name, die.sides) for die in exploded.dice(8)] == [("dF", None)] * 8


@pytest.mark.parametrize("text", ["200d1000", "+".join(f"1d{sides}" for sides in range(800, 1000)), "1d99999999999"])
def test_dice_that_would_take_for_ever_are_not_counted(text: str) -> None:
    assert odds_of(text) is None
