"""What a figure is drawn from: the fights that were asked for, and the tables with what is on record about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from psycopg import Cursor

from ledger.errors import Problem
from ledger.store import Ledger
from projections.phrases import who
from projections.readmodels.reading import Row, fetch
from projections.statistics.scope import Scope
from projections.text import clean

STANDS = "(NOT f.undone OR %(undone)s)"
IN_SCOPE = f"JOIN scope s USING (encounter) WHERE {STANDS}"
"""After a table of facts `f`: the rows that count, of the fights that were asked for."""


class Named(NamedTuple):
    combatant: str
    name: str


@dataclass(frozen=True, slots=True)
class Asked:
    cursor: Cursor[Any]
    scope: Scope

    def rows(self, row: type[Row], sql: str) -> list[Row]:
        """Made of the figures' own constants; what a person gave is in the parameters."""
        return fetch(self.cursor, row, f"WITH {self.scope.sql()} {sql}", self.scope.parameters())

    def some(self, row: type[Row], sql: str) -> list[Row]:
        """The same, where a figure without any would be empty."""
        rows = self.rows(row, sql)
        if not rows:
            raise nothing()
        return rows

    def names(self) -> Names:
        sql = "SELECT c.combatant, max(c.name) AS name FROM combatants c JOIN scope s USING (encounter) GROUP BY 1"
        return Names({row.combatant: clean(row.name) for row in self.rows(Named, sql)})


@dataclass(frozen=True, slots=True)
class FromLedger:
    """A figure that takes more than the tables have. The ledger can be read when the tables are done with."""

    draw: Callable[[Ledger], Any]


class Names(dict[str, str]):
    """Combatants as people call them."""

    def __missing__(self, combatant: str) -> str:
        return clean(who(combatant))


def nothing() -> Problem:
    return Problem("plot/nothing", "There is nothing to draw; choose other fights or another figure.")
