"""A question to one table of facts: what is counted, how it is grouped, and the report that answers it.

PostgreSQL divides decimal numbers and DuckDB binary ones, which round differently, so ratios are computed here.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field
from typing_extensions import TypedDict

from ledger.errors import Problem, choices
from ledger.json_shapes import JsonShape
from projections.readmodels.reading import QueryCursor
from projections.statistics.scope import StatisticScope, join_character, left_out_in_words
from projections.statistics.statistic_names import By


@dataclass(frozen=True, slots=True)
class Ratio:
    """SQL for a part and for the whole, both integers; a factor for the part; and decimal places."""

    part: str
    whole: str
    places: int
    times: int = 1

    def of(self, part: int | None, whole: int | None) -> float | None:
        return (
            rounded(Fraction(self.times * int(part), int(whole)), self.places) if part is not None and whole else None
        )


def mean(what: str, places: int = 2) -> Ratio:
    return Ratio(f"sum({what})", f"count({what})", places)


def percent(part: str, whole: str = "count(*)") -> Ratio:
    return Ratio(part, whole, 1, times=100)


def rounded(number: Fraction, places: int) -> float:
    """Halves are rounded away from zero, as people expect."""
    scaled = abs(number) * 10**places
    whole = Decimal((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator))
    return float((whole if number >= 0 else -whole).scaleb(-places))


class StatisticData(TypedDict):
    title: str
    rows: Annotated[list[dict[str, Any]], Field(description="one object per group; the statistic decides the fields")]
    notes: list[str]
    left_out: Annotated[dict[str, int], Field(description="how many fights do not count, by reason")]


@dataclass(frozen=True, slots=True)
class Report(JsonShape):
    document: ClassVar = StatisticData

    title: str
    columns: tuple[str, ...]
    rows: list[Any]
    """Named tuples with these columns: `row.hits`."""
    notes: list[str] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    """How many fights are not counted, by reason: `forks`, `practice`, `archived`; set on the last report of an
    answer."""

    @classmethod
    def of(cls, title: str, columns: Sequence[str], rows: Iterable[Iterable[Any]], notes: Iterable[str] = ()) -> Self:
        named = namedtuple("Row", columns)  # type: ignore[misc]
        return cls(title, tuple(columns), [named._make(map(plain, row)) for row in rows], list(notes))

    def without(self, left_out: dict[str, int]) -> Report:
        """The same report, with the number of fights that are not counted."""
        return replace(self, notes=[*self.notes, *left_out_in_words(left_out)], left_out=left_out)

    def to_json(self) -> StatisticData:
        return {"title": self.title, "rows": self.records(), "notes": self.notes, "left_out": self.left_out}

    @classmethod
    def from_json(cls, data: StatisticData) -> Self:
        """Without rows, the columns are unknown."""
        columns = tuple(data["rows"][0]) if data["rows"] else ()
        made = cls.of(data["title"], columns, (row.values() for row in data["rows"]), data["notes"])
        return replace(made, left_out=data["left_out"])

    def records(self) -> list[dict[str, Any]]:
        return [row._asdict() for row in self.rows]


def plain(value: Any) -> Any:
    """Numbers as programs expect them: integers as int, others as float."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else float(value)
    return value


BY_ACTION = {By.ACTION: "coalesce(f.action, 'none')"}
"""For facts that are part of an action."""


@dataclass(frozen=True, slots=True)
class StatisticQuestion:
    """In its SQL, `f` is the table of facts, `c` the combatant who acts and `who` its character, each only if
    needed."""

    title: str
    facts: str
    actor: str
    measures: dict[str, str | Ratio]
    """SQL by the name of its column."""
    groups: dict[str, str] = field(default_factory=dict)
    """The columns by which rows are always grouped."""
    also: dict[By, str] = field(default_factory=dict)
    """What rows can be grouped by, besides the actor, the side and the round."""
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

    def ask(self, cursor: QueryCursor, scope: StatisticScope, by: By) -> Report:
        # Made of this module's own constants; input from users is in the parameters.
        cursor.execute(f"WITH {scope.sql()} {self.sql(by)}", scope.parameters())
        groups = self._groups(by)
        found = sorted(cursor.fetchall(), key=lambda row: [(value is None, value) for value in row[: len(groups)]])
        rows = ((*row[: len(groups)], *self._divided(row[len(groups) :])) for row in found)
        return Report.of(f"{self.title} by {by.value}", (*groups, *self.measures), rows, self.notes)

    def _groups(self, by: By) -> dict[str, str]:
        """SQL by column. A column that is always grouped by may also have been asked for."""
        return {by.value: way_of(self.ways, by), **self.groups}

    def _divided(self, counted: Sequence[Any]) -> Iterator[Any]:
        values = iter(counted)
        for measure in self.measures.values():
            yield measure.of(next(values), next(values)) if isinstance(measure, Ratio) else next(values)

    def sql(self, by: By) -> str:
        """Not sorted: databases have different collations."""
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
