"""Chances, computed from the dice and tables: how likely each roll of 4dF+ is, and what a hit can be expected to do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import product

from combatlog.rules.action_points.formulas import damage, damage_roll, harm
from combatlog.rules.action_points.tables import CLASS_FACTOR, DAMAGE_ROLLS
from combatlog.rules.engine.dice import parse

Chances = dict[int, float]
"""The probability of each number."""

FOUR = (-1, 0, 1)
EXPLOSIONS = 2
"""How many explosions in a row are considered. A third one is rarer than one in half a million."""
VIT_WORTH = 1.0
FAT_WORTH = 0.4
WOUND_WORTH = 2.0
"""What a point of each is worth, in points of VIT: it is VIT that kills."""


@cache
def fate() -> Chances:
    """4dF+: four dice, and on four of a kind the same signs once more."""
    chances: defaultdict[int, float] = defaultdict(float)
    for total, chance in _four().items():
        for more, likely in (_exploded(EXPLOSIONS) if abs(total) == 4 else {0: 1.0}).items():
            chances[total + (more if total > 0 else -more)] += chance * likely
    return dict(chances)


def _four() -> Chances:
    return _tally(sum(faces) for faces in product(FOUR, repeat=4))


def _exploded(depth: int) -> Chances:
    """How many faces of the sign that exploded come up."""
    counted = _tally(faces.count(1) for faces in product(FOUR, repeat=4))
    if depth == 1:
        return counted
    chances: defaultdict[int, float] = defaultdict(float)
    for found, chance in counted.items():
        for more, likely in (_exploded(depth - 1) if found == 4 else {0: 1.0}).items():
            chances[found + more] += chance * likely
    return dict(chances)


def _tally(numbers: Iterable[int]) -> Chances:
    found = list(numbers)
    return {number: found.count(number) / len(found) for number in set(found)}


@cache
def worth_of_hit(success_value: int, classes: int) -> float:
    """What the damage of a success value is worth on average. `classes`: how far the weapon is above the body."""
    if success_value < 0:
        return 0.0
    row = damage_roll(min(success_value, max(DAMAGE_ROLLS)))
    scale = classes + row.classes
    factor, divisor = CLASS_FACTOR ** max(0, scale), row.divisor * CLASS_FACTOR ** max(0, -scale)
    rolls = _sums(row.dice)
    return sum(chance * _worth(damage(total, divisor, factor)) for total, chance in rolls.items())


def _worth(points: int) -> float:
    done = harm(points)
    return done.fat * FAT_WORTH + done.vit * VIT_WORTH + done.wounds * WOUND_WORTH


@cache
def _sums(notation: str) -> Chances:
    dice = parse(notation).needed([])
    chances: Chances = {0: 1.0}
    for die in dice:
        following: defaultdict[int, float] = defaultdict(float)
        for total, chance in chances.items():
            for face in die.faces:
                following[total + int(face)] += chance / len(die.faces)
        chances = dict(following)
    return chances


def worth_of_attack(advantage: int, absorbed: int = 0, classes: int = 0) -> float:
    """The expected worth of an attack whose ability score exceeds the target value by this much."""
    return sum(chance * worth_of_hit(_left(advantage + rolled, absorbed), classes) for rolled, chance in fate().items())


def _left(success_value: int, absorbed: int) -> int:
    if success_value < 0 or not absorbed:
        return success_value
    return success_value - absorbed or -1
