"""Two histories side by side: where they diverge, what only one of them has, and how their states differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.events import Event
from projections.battle import fold
from projections.difference import Difference, differences
from projections.naming import Names, names_in


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
    common = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        common += 1
    one, other = fold(first), fold(second)
    return Comparison(common, first[common:], second[common:], differences(one, other), names_in(other, one))
