"""How many attacks hit by chance, worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from projections.statistics.odds import interval

HALF = Fraction(1, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chances", "low", "expected", "high"),
    [
        ([(HALF, 1)], 0, 0.5, 1),
        ([(HALF, 5)], 0, 2.5, 5),  # none of five: 1/32 = 3.1 %, which is within 95 %
        ([(HALF, 6)], 1, 3.0, 5),  # none of six: 1/64 = 1.6 %, which is not
        ([(Fraction(19, 20), 1)], 0, 0.95, 1),  # a miss: 5 %
        ([(Fraction(49, 50), 1)], 1, 0.98, 1),  # a miss: 2 %
        ([(Fraction(1), 3), (Fraction(0), 2)], 3, 3.0, 3),
        ([(HALF, 2), (Fraction(1), 4)], 4, 5.0, 6),
    ],
)
def test_the_span_that_chance_gives(chances: list[tuple[Fraction, int]], low: int, expected: float, high: int) -> None:
    assert interval(chances) == (low, expected, high)


def test_many_attacks_go_by_the_normal_curve() -> None:
    """10,000 attacks at 1/2: 5,000 give or take 1.96 times 50, which is 98."""
    assert interval([(HALF, 10_000)]) == (4902, 5000.0, 5098)
