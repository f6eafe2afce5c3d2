"""A question to one table of facts: what is counted, and by what it can be told apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from psycopg import Cursor

from ledger.errors import Problem
from ledger.suggestions import choices
from projections.analytics_names import By
from projections.statistics.characters import join_character
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
    measures: dict[str, str]
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

    def ask(self, cursor: Cursor[Any], scope: Scope, by: By) -> Report:
        # Made of this module's own constants; what a person gave is in the parameters.
        cursor.execute(f"WITH {scope.sql()} {self.sql(by)}", scope.parameters())
        columns = (by.value, *self.groups, *self.measures)
        return Report.of(f"{self.title} by {by.value}", columns, cursor.fetchall(), self.notes)

    def sql(self, by: By) -> str:
        way = way_of(self.ways, by)
        groups = {by.value: way, **self.groups}
        shown = {**groups, **self.measures}
        places = ", ".join(str(place) for place in range(1, len(groups) + 1))
        return (
            f"SELECT {', '.join(f'{sql} AS {name}' for name, sql in shown.items())}"  # noqa: S608
            f" FROM {self.facts} f JOIN scope s USING (encounter){self._joins(way)}"
            f" WHERE {'true' if self.counts_undone else '(NOT f.undone OR %(undone)s)'}"
            f" GROUP BY {places} ORDER BY {places}"
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


def way_of(ways: dict[By, str], by: By) -> str:
    if by not in ways:
        names = sorted(way.value for way in ways)
        sentence = f"This cannot be grouped by {by.value}, only by {choices(names)}."
        raise Problem("stats/by", sentence, name=by.value, available=names)
    return ways[by]


def percent(part: str, whole: str = "count(*)") -> str:
    return f"round(100.0 * {part} / nullif({whole}, 0), 1)"
