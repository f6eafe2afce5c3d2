"""Exact odds: estimates roll no dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from combatlog.rules.engine.dice import Die, parse
from ledger.events import RollMode
from projections.statistics.odds import odds_of

Odds = dict[int, float]
"""How likely each number is. Odds are shared, so nobody changes them."""
NOTHING: Odds = {0: 1.0}
REROLLED = (1, 2)


def both(one: Odds, other: Odds) -> Odds:
    """The sum of two independent rolls."""
    if len(other) == 1:
        ((shift, _),) = other.items()
        return {value + shift: chance for value, chance in one.items()}
    total: Odds = {}
    for value, chance in one.items():
        for more, likely in other.items():
            total[value + more] = total.get(value + more, 0.0) + chance * likely
    return total


def times(odds: Odds, count: int) -> Odds:
    """The sum of so many independent rolls."""
    return odds if count == 1 else _times(tuple(odds.items()), count)


@lru_cache(maxsize=2048)
def _times(odds: tuple[tuple[int, float], ...], count: int) -> Odds:
    return sum_of([dict(odds)] * count)


def either(chance: float, one: Odds, other: Odds) -> Odds:
    """One with this chance, else the other."""
    mixed = {value: chance * likely for value, likely in one.items()}
    for value, likely in other.items():
        mixed[value] = mixed.get(value, 0.0) + (1 - chance) * likely
    return mixed


def mapped(odds: Odds, change: Callable[[int], int]) -> Odds:
    changed: Odds = {}
    for value, chance in odds.items():
        new = change(value)
        changed[new] = changed.get(new, 0.0) + chance
    return changed


def mean(odds: Odds) -> float:
    return sum(value * chance for value, chance in odds.items())


def mean_up_to(odds: Odds, most: int) -> float:
    """The mean with values capped at a limit: nobody loses more than they have."""
    return sum([(value if value < most else most) * chance for value, chance in odds.items()])


def at_least(odds: Odds, wanted: int) -> float:
    """The chance of this much or more."""
    if len(odds) == 1:
        ((value, chance),) = odds.items()
        return chance if value >= wanted else 0.0
    return sum([chance for value, chance in odds.items() if value >= wanted])


@lru_cache(maxsize=2048)
def _throw(notation: str, rerolled: bool) -> tuple[tuple[int, float], ...]:
    counted, read = odds_of(notation), parse(notation)
    if counted is None:  # so many dice hardly stray from their mean
        return ((round(read.average), 1.0),)
    if not rerolled:
        return tuple((total, float(chance)) for total, chance in counted.items())
    total: Odds = {read.constant: 1.0}
    for die in read.dice:
        total = both(total, _die(die, rerolled))
    return tuple(total.items())


def throw(notation: str, *, rerolled: bool = False) -> Odds:
    """The odds of a sum of dice. `rerolled`: 1s and 2s are rerolled once."""
    return dict(_throw(notation, rerolled))


def _die(die: Die, rerolled: bool) -> Odds:
    faces = [int(face) for face in die.faces]
    once = {face: 1 / len(faces) for face in faces}
    if not rerolled:
        return once
    again = sum(once.get(face, 0.0) for face in REROLLED)
    return {face: (0.0 if face in REROLLED else once[face]) + again * once[face] for face in faces}


@lru_cache(maxsize=8)
def naturals(mode: RollMode) -> tuple[float, ...]:
    """The chance of each face of a d20 to count, from 1 to 20."""
    if mode is RollMode.NORMAL:
        return (1 / 20,) * 20
    ways = [2 * face - 1 for face in range(1, 21)]
    return tuple(way / 400 for way in (ways if mode is RollMode.ADVANTAGE else reversed(ways)))


def reaching(mode: RollMode, added: Odds, against: int) -> float:
    """The chance that a d20 plus what is added reaches a number."""
    return sum(
        chance * at_least(added, against - face) for face, chance in enumerate(naturals(mode), start=1) if chance
    )


def sum_of(all_odds: Iterable[Odds]) -> Odds:
    """The sum of independent rolls."""
    total: Odds | None = None
    for odds in all_odds:
        total = odds if total is None else both(total, odds)
    return NOTHING if total is None else total
