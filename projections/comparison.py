"""Two histories side by side: where they diverge, what only one of them has, and how their states differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.events import Event
from projections.battle import Battle, fold
from projections.difference import Difference, differences
from projections.naming import Names, names_in
from projections.views import Onlooker


@dataclass(frozen=True, slots=True)
class Comparison:
    common: int
    """How many events they have in common at the beginning."""
    only_first: Sequence[Event]
    only_second: Sequence[Event]
    state: list[Difference]
    names: Names
    """What the combatants are called, by id."""


def compare_histories(first: Sequence[Event], second: Sequence[Event]) -> Comparison:
    return _compare(first, second, fold(first), fold(second))


def compare_seen(first: Onlooker, second: Onlooker) -> Comparison:
    """The same for what was seen from a seat."""
    return _compare(first.seen, second.seen, first.battle, second.battle)


def _compare(first: Sequence[Event], second: Sequence[Event], one: Battle, other: Battle) -> Comparison:
    common = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        common += 1
    return Comparison(common, first[common:], second[common:], differences(one, other), names_in(other, one))
