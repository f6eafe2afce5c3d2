"""Writing rows to PostgreSQL: collected by table, written with COPY."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from psycopg import Cursor
from psycopg.sql import SQL, Identifier

from ledger.dates import nearest_expressible
from projections.readmodels.catalogue import TABLES

Row = tuple[str, tuple[Any, ...]]


class Writer:
    """Collects rows until there are many. FREEZE is for tables that the same transaction has created."""

    def __init__(self, cursor: Cursor[Any], schema: str, *, hold: int = 20_000, freeze: bool = False) -> None:
        self._cursor = cursor
        self._hold = hold
        self._held: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
        self._count = 0
        self.written = 0
        option = SQL(" (FREEZE)") if freeze else SQL("")
        self._copy = {
            name: SQL("COPY {} ({}) FROM STDIN{}").format(
                Identifier(schema, name), SQL(", ").join(map(Identifier, table.column_names)), option
            )
            for name, table in TABLES.items()
        }

    def write(self, rows: Iterable[Row]) -> None:
        for table, values in rows:
            self._held[table].append(values)
            self._count += 1
        if self._count >= self._hold:
            self.flush()

    def flush(self) -> None:
        for table, rows in self._held.items():
            if rows:
                self._write(table, rows)
                rows.clear()
        self.written += self._count
        self._count = 0

    def _write(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        with self._cursor.copy(self._copy[table]) as stream:
            for row in rows:
                stream.write_row(with_expressible_dates(table, row))


_DATES = {
    name: [place for place, column in enumerate(table.columns) if column.sql_type == "timestamptz"]
    for name, table in TABLES.items()
}


def with_expressible_dates(table: str, row: tuple[Any, ...]) -> Sequence[Any]:
    """Nobody could read a table, or export it, that has a date which only an event can hold."""
    if not (dates := _DATES[table]):
        return row
    values = list(row)
    for place in dates:
        values[place] = nearest_expressible(values[place])
    return values
