"""A question to one table of facts: what is counted, and by what it can be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ledger.errors import Problem
from ledger.suggestions import choices
from projections.analytics_names import By
from projections.readmodels.reading import Asked
from projections.statistics.characters import join_character
from projections.statistics.ratio import Ratio
from projections.statistics.report import Report
from projections.statistics.scope import Scope

BY_ACTION = {By.ACTION: "coalesce(f.action, 'none')"}
"""For facts that are part of an action."""


@dataclass(frozen=True, slots=True)
class Question:
    """`f` is the table of facts, `c` the combatant who acts and `who` its character, as far as they are needed."""

    title: str
    facts: str
    actor: str
    measures: dict[str, str | Ratio]
    """SQL by the name of its column."""
    groups: dict[str, str] = field(default_factory=dict)
    """What rows are told apart by in any case."""
    also: dict[By, str] = field(default_factory=dict)
    """What rows can be told apart by, besides the actor, the side and the round."""
    other: str | None = None
    """The combatant at the other end, whose character is `other` in the groups."""
    joins: str = ""
    counts_undone: bool = False
    notes: tuple[str, ...] = ()

    @property
    def ways(self) -> dict[By, str]:
        usual = {
            By.ACTOR: f"coalesce(who.name, {self.actor})",
            By.SIDE: "coalesce(c.side, 'nobody''s')",
            By.ROUND: "f.round",
        }
        return {**usual, **self.also}

    def ask(self, cursor: Asked, scope: Scope, by: By) -> Report:
        # Made of this module's own constants; what a person gave is in the parameters.
        cursor.execute(f"WITH {scope.sql()} {self.sql(by)}", scope.parameters())
        groups = self._groups(by)
        found = sorted(cursor.fetchall(), key=lambda row: [(value is None, value) for value in row[: len(groups)]])
        rows = ((*row[: len(groups)], *self._divided(row[len(groups) :])) for row in found)
        return Report.of(f"{self.title} by {by.value}", (*groups, *self.measures), rows, self.notes)

    def _groups(self, by: By) -> dict[str, str]:
        """SQL by column. What rows are told apart by in any case may be what was asked for."""
        return {by.value: way_of(self.ways, by), **self.groups}

    def _divided(self, counted: Sequence[Any]) -> Iterator[Any]:
        values = iter(counted)
        for measure in self.measures.values():
            yield measure.of(next(values), next(values)) if isinstance(measure, Ratio) else next(values)

    def sql(self, by: By) -> str:
        """Not sorted: databases have different alphabets."""
        way, groups = way_of(self.ways, by), self._groups(by)
        shown = [*groups.values(), *(sql for measure in self.measures.values() for sql in _counted(measure))]
        places = ", ".join(str(place) for place in range(1, len(groups) + 1))
        return (
            f"SELECT {', '.join(shown)}"  # noqa: S608
            f" FROM {self.facts} f JOIN scope s USING (encounter){self._joins(way)}"
            f" WHERE {'true' if self.counts_undone else '(NOT f.undone OR %(undone)s)'}"
            f" GROUP BY {places}"
        )

    def _joins(self, way: str) -> str:
        joins = f" {self.joins}" if self.joins else ""
        if "who." in way:
            joins += join_character("who", "f", self.actor)
        if self.other is not None:
            joins += join_character("other", "f", self.other)
        if "c." in way:
            joins += f" LEFT JOIN combatants c ON c.encounter = f.encounter AND c.combatant = {self.actor}"
        return joins


def _counted(measure: str | Ratio) -> tuple[str, ...]:
    return (measure.part, measure.whole) if isinstance(measure, Ratio) else (measure,)


def way_of(ways: dict[By, str], by: By) -> str:
    if by not in ways:
        names = sorted(way.value for way in ways)
        sentence = f"This cannot be grouped by {by.value}, only by {choices(names)}."
        raise Problem("stats/by", sentence, name=by.value, available=names)
    return ways[by]
