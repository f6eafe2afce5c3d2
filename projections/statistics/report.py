"""The answer to a question: a table with a title, and what has to be said about it."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field
from typing_extensions import TypedDict

from ledger.json_shapes import JsonShape
from projections.statistics.scope import left_out_in_words


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
    """How many fights are not counted, by why: `forks`, `practice`, `archived`; the last report of an answer has it."""

    @classmethod
    def of(cls, title: str, columns: Sequence[str], rows: Iterable[Iterable[Any]], notes: Iterable[str] = ()) -> Self:
        named = namedtuple("Row", columns)  # type: ignore[misc]
        return cls(title, tuple(columns), [named._make(map(plain, row)) for row in rows], list(notes))

    def without(self, left_out: dict[str, int]) -> Report:
        """The same report, which says how many fights it does not count."""
        return replace(self, notes=[*self.notes, *left_out_in_words(left_out)], left_out=left_out)

    def to_json(self) -> StatisticData:
        return {"title": self.title, "rows": self.records(), "notes": self.notes, "left_out": self.left_out}

    @classmethod
    def from_json(cls, data: StatisticData) -> Self:
        """Without rows, nobody tells which columns there are."""
        columns = tuple(data["rows"][0]) if data["rows"] else ()
        made = cls.of(data["title"], columns, (row.values() for row in data["rows"]), data["notes"])
        return replace(made, left_out=data["left_out"])

    def records(self) -> list[dict[str, Any]]:
        return [row._asdict() for row in self.rows]


def plain(value: Any) -> Any:
    """Numbers as programs expect them: whole ones whole, others as floats."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else float(value)
    return value
