"""Exact odds of dice, in fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product

from projections.notation import FATE, DiceGroup, Notation, read

Odds = Mapping[int, Fraction]
"""The chance of each total."""

_MOST_OUTCOMES = 200_000
_MOST_ADDITIONS = 1_000_000
_EXPLOSIONS = 6
"""Throws after the first that are followed. What comes later lies beyond any total that is asked for."""


@lru_cache(maxsize=4096)
def odds_of(text: str) -> Odds | None:
    """The chance of each total of a roll without modifiers; None for dice that cannot be counted."""
    notation = read(text)
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


def _is_countable(notation: Notation) -> bool:
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


def _exploding(notation: Notation) -> Odds:
    """Fate dice: while all show one sign, all are thrown again and those of that sign are added."""
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
