"""Were the dice fair, and was somebody lucky: tests with their p values, said in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, erfc, exp, floor, gamma, sqrt
from typing import NamedTuple

ENOUGH_PER_FACE = 5
"""With fewer expected of each face, the test says nothing."""
_EXACT_UPTO = 400
_RARE = 0.025
"""On each side of the 95 % that count as chance."""
_DEVIATIONS = 1.959964
"""How many standard deviations those 95 % reach to each side, on the normal curve."""


@dataclass(frozen=True, slots=True)
class Fairness:
    rolled: int
    chi_squared: float
    p_value: float | None
    """The chance that fair dice stray this far or further; None where there are too few rolls."""

    @property
    def verdict(self) -> str:
        if self.p_value is None:
            return "too few rolls to tell"
        if self.p_value < 0.001:
            return "hardly fair: fair dice do this less than once in a thousand times"
        if self.p_value < 0.05:
            return f"suspicious: fair dice do this about once in {round(1 / self.p_value)} times"
        return "nothing suspicious"


def fairness(sides: int, counts: Mapping[int, int]) -> Fairness:
    """Pearson's test of a die with the numbers from 1 to its sides."""
    rolled = sum(counts.values())
    expected = rolled / sides
    chi = sum((counts.get(face, 0) - expected) ** 2 / expected for face in range(1, sides + 1)) if rolled else 0.0
    enough = expected >= ENOUGH_PER_FACE and sides > 1
    return Fairness(rolled, chi, beyond_chi_squared(chi, sides - 1) if enough else None)


def beyond_chi_squared(value: float, degrees: int) -> float:
    """The chance of more than this, in closed form for whole degrees of freedom."""
    half = value / 2
    start = 1 if degrees % 2 else 2
    chance = erfc(sqrt(half)) if degrees % 2 else exp(-half)
    for freedom in range(start, degrees, 2):
        # Two degrees more add one term of the series of the incomplete gamma function.
        chance += half ** (freedom / 2) * exp(-half) / gamma(freedom / 2 + 1) if half else 0.0
    return min(1.0, chance)


def luck(chances: Sequence[tuple[Fraction, int]], hits: int) -> float:
    """The chance of a number of hits at least as far from what was expected, given how likely each was.

    Exact for some hundred attacks, and by the normal curve beyond.
    """
    attacks = sum(number for _, number in chances)
    expected = float(sum((chance * number for chance, number in chances), Fraction(0)))
    if attacks <= _EXACT_UPTO:
        return _exact_luck(chances, expected, abs(hits - expected))
    spread = sqrt(sum(float(chance * (1 - chance)) * number for chance, number in chances))
    return erfc(max(0.0, abs(hits - expected) - 0.5) / spread / sqrt(2)) if spread else 1.0


class Interval(NamedTuple):
    """The hits that chance alone makes at least 95 % of the time; fewer or more are rare on either side."""

    low: int
    expected: float
    high: int


def interval(chances: Sequence[tuple[Fraction, int]]) -> Interval:
    """At most one time in forty there are fewer hits than `low`, and at most one time in forty more than `high`."""
    attacks = sum(number for _, number in chances)
    expected = float(sum((chance * number for chance, number in chances), Fraction(0)))
    if attacks <= _EXACT_UPTO:
        odds = _odds_of_hits(chances)
        return Interval(_rare_before(odds), expected, attacks - _rare_before(odds[::-1]))
    reach = _DEVIATIONS * sqrt(sum(float(chance * (1 - chance)) * number for chance, number in chances)) - 0.5
    return Interval(max(0, floor(expected - reach)), expected, min(attacks, ceil(expected + reach)))


def _rare_before(odds: Sequence[float]) -> int:
    """The first outcome that cannot be left out, if what comes before it is to be rare."""
    before = 0.0
    for outcome, odd in enumerate(odds):
        before += odd
        if before > _RARE + 1e-12:
            return outcome
    return len(odds) - 1


def _odds_of_hits(chances: Sequence[tuple[Fraction, int]]) -> list[float]:
    """The chance of each number of hits."""
    odds = [1.0]
    for chance, number in chances:
        for _ in range(number):
            odds = _one_more(odds, float(chance))
    return odds


def _exact_luck(chances: Sequence[tuple[Fraction, int]], expected: float, off: float) -> float:
    odds = _odds_of_hits(chances)
    return min(1.0, sum(odd for hits, odd in enumerate(odds) if abs(hits - expected) >= off - 1e-9))


def _one_more(odds: list[float], chance: float) -> list[float]:
    missed = [odd * (1 - chance) for odd in odds] + [0.0]
    hit = [0.0] + [odd * chance for odd in odds]
    return [one + other for one, other in zip(missed, hit, strict=True)]


def in_words(hits: int, likely: Interval, p_value: float) -> str:
    """Lucky or unlucky only where chance alone is no good explanation."""
    if likely.low <= hits <= likely.high:
        return "within chance"
    how = "lucky" if hits > likely.high else "unlucky"
    return f"{'very ' if p_value < 0.01 else ''}{how}"
