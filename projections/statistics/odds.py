"""Exact odds of dice as fractions, and tests of dice: whether they were fair, and whether a player was lucky.

The tests have p values and say in plain words what they mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, erfc, exp, floor, gamma, sqrt
from typing import NamedTuple

from projections.battle.dice import FATE, DiceGroup, DiceNotation, read_notation

Odds = Mapping[int, Fraction]
"""The chance of each total."""

_MOST_OUTCOMES = 200_000
_MOST_ADDITIONS = 1_000_000
_EXPLOSIONS = 6
"""How many throws after the first are followed. Further ones lie beyond any total that is ever asked for."""


@lru_cache(maxsize=4096)
def odds_of(text: str) -> Odds | None:
    """The chance of each total of a roll without modifiers; None for dice that cannot be calculated."""
    notation = read_notation(text)
    if notation is None or not _is_countable(notation):
        return None
    if notation.explodes:
        return _exploding(notation)
    odds: Odds = {notation.constant: Fraction(1)}
    for group in notation.groups:
        own = _group(group)
        if own is None:
            return None
        odds = _sum(odds, own)
    return odds


def _is_countable(notation: DiceNotation) -> bool:
    """Whether adding up its dice one by one stays within bounds: 200d1000 would take hours."""
    totals, additions = 1, 0
    for group in notation.groups:
        numbers = [face for face in group.faces if isinstance(face, int)] or [0]
        for _ in range(group.count):
            additions += totals * len(numbers)
            totals = min(totals * len(numbers), totals + max(numbers) - min(numbers))
            if additions > _MOST_ADDITIONS:
                return False
    return True


def mean(odds: Odds) -> Fraction:
    return sum((total * chance for total, chance in odds.items()), Fraction(0))


def _sum(one: Odds, other: Odds) -> Odds:
    totals: Counter[int] = Counter()
    for (first, chance), (second, likewise) in product(one.items(), other.items()):
        totals[first + second] += chance * likewise  # type: ignore[assignment]
    return dict(totals)  # type: ignore[arg-type]


def _group(group: DiceGroup) -> Odds | None:
    faces = [face for face in group.faces if isinstance(face, int)]
    if len(faces) < len(group.faces):
        return None
    if group.keep is None:
        return _repeat(_die(faces), group.count)
    if len(faces) ** group.count > _MOST_OUTCOMES:
        return None
    return _kept(faces, group.count, group.keep)


def _die(faces: list[int]) -> Odds:
    return {face: Fraction(times, len(faces)) for face, times in Counter(faces).items()}


def _repeat(die: Odds, count: int) -> Odds:
    odds: Odds = {0: Fraction(1)}
    for _ in range(count):
        odds = _sum(odds, die)
    return odds


def _kept(faces: list[int], count: int, keep: int) -> Odds:
    totals: Counter[int] = Counter()
    for thrown in product(faces, repeat=count):
        totals[sum(sorted(thrown, reverse=keep > 0)[: abs(keep)])] += 1
    return {total: Fraction(times, len(faces) ** count) for total, times in totals.items()}


def _exploding(notation: DiceNotation) -> Odds:
    """Fate dice: as long as all show one sign, all are thrown again, and those with that sign are added."""
    count = notation.groups[0].count
    all_alike = Fraction(1, 3) ** count
    odds = dict(_repeat(_die(list(FATE)), count))
    for sign in (1, -1):
        odds[sign * count] -= all_alike
        for more, chance in _more(count, _EXPLOSIONS).items():
            total = sign * (count + more)
            odds[total] = odds.get(total, Fraction(0)) + all_alike * chance
    return odds


def _more(count: int, throws: int) -> dict[int, Fraction]:
    """What further throws add: how many dice show the sign again."""
    third: Odds = {1: Fraction(1, 3), 0: Fraction(2, 3)}
    added = dict(_repeat(third, count))
    if throws > 1:
        again = added.pop(count)
        for more, chance in _more(count, throws - 1).items():
            added[count + more] = added.get(count + more, Fraction(0)) + again * chance
    return added


ENOUGH_PER_FACE = 5
"""With fewer expected throws per face, the test is not valid."""
_EXACT_UPTO = 400
_RARE = 0.025
"""The share on each side of the 95 % that count as chance."""
_DEVIATIONS = 1.959964
"""How many standard deviations those 95 % reach to each side of a normal curve."""


@dataclass(frozen=True, slots=True)
class Fairness:
    rolled: int
    chi_squared: float
    p_value: float | None
    """The chance that fair dice deviate this much or more; None if there are too few rolls."""

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
    """Pearson's chi-squared test of a die with the numbers from 1 to its sides."""
    rolled = sum(counts.values())
    expected = rolled / sides
    chi = sum((counts.get(face, 0) - expected) ** 2 / expected for face in range(1, sides + 1)) if rolled else 0.0
    enough = expected >= ENOUGH_PER_FACE and sides > 1
    return Fairness(rolled, chi, beyond_chi_squared(chi, sides - 1) if enough else None)


def beyond_chi_squared(value: float, degrees: int) -> float:
    """The chance of a larger value, in closed form for integer degrees of freedom."""
    half = value / 2
    start = 1 if degrees % 2 else 2
    chance = erfc(sqrt(half)) if degrees % 2 else exp(-half)
    for freedom in range(start, degrees, 2):
        # Two degrees more add one term of the series of the incomplete gamma function.
        chance += half ** (freedom / 2) * exp(-half) / gamma(freedom / 2 + 1) if half else 0.0
    return min(1.0, chance)


def luck(chances: Sequence[tuple[Fraction, int]], hits: int) -> float:
    """The chance of a number of hits at least as far from the expectation, given how likely each hit was.

    Exact for up to some hundred attacks, and by the normal curve beyond.
    """
    attacks = sum(number for _, number in chances)
    expected = float(sum((chance * number for chance, number in chances), Fraction(0)))
    if attacks <= _EXACT_UPTO:
        return _exact_luck(chances, expected, abs(hits - expected))
    spread = sqrt(sum(float(chance * (1 - chance)) * number for chance, number in chances))
    return erfc(max(0.0, abs(hits - expected) - 0.5) / spread / sqrt(2)) if spread else 1.0


class Interval(NamedTuple):
    """The numbers of hits that chance alone gives at least 95 % of the time; lower or higher ones are rare."""

    low: int
    expected: float
    high: int


def interval(chances: Sequence[tuple[Fraction, int]]) -> Interval:
    """Fewer hits than `low` happen at most one time in forty, and so do more than `high`."""
    attacks = sum(number for _, number in chances)
    expected = float(sum((chance * number for chance, number in chances), Fraction(0)))
    if attacks <= _EXACT_UPTO:
        odds = _odds_of_hits(chances)
        return Interval(_rare_before(odds), expected, attacks - _rare_before(odds[::-1]))
    reach = _DEVIATIONS * sqrt(sum(float(chance * (1 - chance)) * number for chance, number in chances)) - 0.5
    return Interval(max(0, floor(expected - reach)), expected, min(attacks, ceil(expected + reach)))


def _rare_before(odds: Sequence[float]) -> int:
    """The first outcome at which the outcomes before it are still rare."""
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
    """Calls a group lucky or unlucky only if chance alone does not explain the result well."""
    if likely.low <= hits <= likely.high:
        return "within chance"
    how = "lucky" if hits > likely.high else "unlucky"
    return f"{'very ' if p_value < 0.01 else ''}{how}"
