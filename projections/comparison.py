"""Two histories side by side: where they diverge, what only one of them has, and how their states differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.events import Event
from projections.battle import fold
from projections.difference import Difference, differences


@dataclass(frozen=True, slots=True)
class Comparison:
    common: int
    """How many events they have in common at the beginning."""
    only_first: Sequence[Event]
    only_second: Sequence[Event]
    state: list[Difference]


def compare_histories(first: Sequence[Event], second: Sequence[Event]) -> Comparison:
    common = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        common += 1
    return Comparison(common, first[common:], second[common:], differences(fold(first), fold(second)))
