"""Two histories side by side: where they diverge, what only one of them has, and how their states differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from pydantic import Field
from typing_extensions import TypedDict

from ledger.events import Event
from ledger.json_shapes import EventData, JsonShape
from projections.battle import Battle, fold
from projections.difference import Difference, DifferenceData, differences
from projections.naming import Names, names_in
from projections.views import Onlooker


class ComparisonData(TypedDict):
    common: Annotated[int, Field(description="how many events both have at the beginning")]
    only_first: list[EventData]
    only_second: list[EventData]
    state: list[DifferenceData]
    names: Annotated[dict[str, str], Field(description="what the combatants are called, by id")]


@dataclass(frozen=True, slots=True)
class Comparison(JsonShape):
    document: ClassVar = ComparisonData

    common: int
    """How many events they have in common at the beginning."""
    only_first: Sequence[Event]
    only_second: Sequence[Event]
    state: list[Difference]
    names: Names
    """What the combatants are called, by id."""

    def to_json(self) -> ComparisonData:
        return {
            "common": self.common,
            "only_first": [event.to_json() for event in self.only_first],
            "only_second": [event.to_json() for event in self.only_second],
            "state": [difference.to_json() for difference in self.state],
            "names": dict(self.names),
        }

    @classmethod
    def from_json(cls, data: ComparisonData) -> Self:
        from projections.views.told import events_of

        first, second = events_of(data["only_first"]), events_of(data["only_second"])
        state = [Difference.from_json(one) for one in data["state"]]
        return cls(data["common"], first, second, state, data["names"])


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
