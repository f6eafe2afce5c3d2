"""How many of some attacks hit by chance: not one number but a span, which is what luck is measured against."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, sqrt
from typing import NamedTuple

TAIL = 0.025
"""What is left out on each side, so that 95 % are within."""
_DEVIATIONS = 1.959963984540054
"""The same in standard deviations of the normal curve."""
_EXACT_UPTO = 400


class Likely(NamedTuple):
    low: int
    expected: float
    high: int


def likely_hits(chances: Sequence[tuple[Fraction, int]]) -> Likely:
    """The numbers of hits that fair dice give 95 % of the time, given how likely each attack was to hit.

    There are fewer than `low` at most 2.5 % of the time, and more than `high` at most 2.5 % of the time. Exact for some
    hundred attacks, and by the normal curve beyond.
    """
    attacks = sum(number for _, number in chances)
    expected = float(sum((chance * number for chance, number in chances), Fraction(0)))
    if attacks > _EXACT_UPTO:
        spread = _DEVIATIONS * sqrt(sum(float(chance * (1 - chance)) * number for chance, number in chances))
        return Likely(max(0, floor(expected - spread)), expected, min(attacks, ceil(expected + spread)))
    odds = _distribution(chances)
    return Likely(_quantile(odds), expected, len(odds) - 1 - _quantile(odds[::-1]))


def _quantile(odds: Sequence[float]) -> int:
    """The largest number of hits such that fewer are improbable."""
    fewer = 0.0
    for hits, odd in enumerate(odds):
        fewer += odd
        if fewer > TAIL + 1e-12:
            return hits
    return len(odds) - 1


def _distribution(chances: Sequence[tuple[Fraction, int]]) -> list[float]:
    """The chance of each number of hits, attack by attack."""
    odds = [1.0]
    for chance, number in chances:
        for _ in range(number):
            odds = _one_more(odds, float(chance))
    return odds


def _one_more(odds: Sequence[float], chance: float) -> list[float]:
    missed = [*(odd * (1 - chance) for odd in odds), 0.0]
    hit = [0.0, *(odd * chance for odd in odds)]
    return [one + other for one, other in zip(missed, hit, strict=True)]
