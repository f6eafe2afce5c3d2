"""Bring a batch of events into the tables: folded encounter by encounter, written table by table with COPY."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import Notification
from psycopg import Cursor
from psycopg.sql import SQL, Composable, Identifier

from ledger.json_shapes import nearest_expressible
from ledger.store.ledger import LedgerStore
from ledger.store.recorder import StoredRow, encounter_of
from projections.readmodels.catalogue import FACTS, STATES, TABLES
from projections.readmodels.encounter_projection import RowKey
from projections.readmodels.facts import OF_THE_STATE
from projections.readmodels.row_projection import KeptProjections, RowProjection
from projections.readmodels.tables import TableSchema

CopiedRow = tuple[str, tuple[Any, ...]]


class TableWriter:
    """Collects rows and writes them in large portions. FREEZE is for tables created in the same transaction."""

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

    def write(self, rows: Iterable[CopiedRow]) -> None:
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
    """Clamp dates that only an event can hold: a table with such a date could not be read or exported."""
    if not (dates := _DATES[table]):
        return row
    values = list(row)
    for place in dates:
        values[place] = nearest_expressible(values[place])
    return values


def project(
    cursor: Cursor[Any], schema: str, ledger: LedgerStore, notifications: Sequence[Notification], kept: KeptProjections
) -> None:
    batch = _Batch(cursor, schema)
    for encounter, rows in _by_encounter(notifications).items():
        projection = kept.take(ledger, encounter, rows[0].seq)
        for row in rows:
            projection.feed(row)
        batch.add(projection)
        kept.keep(projection)
    batch.write()


def _by_encounter(notifications: Iterable[Notification]) -> dict[UUID, list[StoredRow]]:
    found: dict[UUID, list[StoredRow]] = {}
    for notification in notifications:
        row = StoredRow(notification.originator_version, notification.topic, bytes(notification.state), b"")
        found.setdefault(encounter_of(notification), []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: row.seq)
    return found


class _Batch:
    """What a batch of events changes, collected so that each table is touched once."""

    def __init__(self, cursor: Cursor[Any], schema: str) -> None:
        self._cursor = cursor
        self._schema = schema
        self._unknown: list[UUID] = []
        """Encounters whose state in the tables is not known in this process."""
        self._gone: dict[str, list[RowKey]] = {}
        self._restated: list[tuple[UUID, int]] = []
        """Events whose rows are written anew."""
        self._marks: dict[bool, list[tuple[UUID, int]]] = {True: [], False: []}
        self._rows: list[CopiedRow] = []

    def add(self, projection: RowProjection) -> None:
        if not projection.is_state_known:
            self._unknown.append(projection.encounter)
        for undone, declarations in projection.take_changed_marks().items():
            self._marks[undone] += [(projection.encounter, declaration) for declaration in declarations]
        self._restated += [(projection.encounter, seq) for seq in projection.take_restated()]
        self._rows += projection.take_facts()
        gone, new = projection.take_state_changes()
        for table, key in gone:
            self._gone.setdefault(table, []).append(key)
        self._rows += new

    def write(self) -> None:
        """Marks go first: new facts are already marked."""
        self._forget_unknown()
        for table, keys in self._gone.items():
            self._delete(TABLES[table], keys)
        for undone, declarations in self._marks.items():
            if declarations:
                self._mark(declarations, undone)
        if self._restated:
            self._remove_restated()
        writer = TableWriter(self._cursor, self._schema)
        writer.write(self._rows)
        writer.flush()

    def _forget_unknown(self) -> None:
        for table in STATES if self._unknown else ():
            query = SQL("DELETE FROM {} WHERE encounter = ANY(%s)").format(self._name(table))
            self._cursor.execute(query, (self._unknown,))

    def _delete(self, table: TableSchema, keys: Sequence[RowKey]) -> None:
        types = {column.name: column.sql_type for column in table.columns}
        query = SQL("DELETE FROM {} t USING unnest({}) AS gone ({}) WHERE ({}) = ({})").format(
            self._name(table),
            SQL(", ").join(SQL(f"%s::{types[name]}[]") for name in table.key),
            _columns(table.key),
            _columns(table.key, "t"),
            _columns(table.key, "gone"),
        )
        self._cursor.execute(query, [list(column) for column in zip(*keys, strict=True)])

    def _remove_restated(self) -> None:
        encounters, numbers = (list(column) for column in zip(*self._restated, strict=True))
        for name in {name for tables in OF_THE_STATE.values() for name in tables}:
            query = SQL(
                "DELETE FROM {} t USING unnest(%s::uuid[], %s::bigint[]) AS restated (encounter, seq)"
                " WHERE (t.encounter, t.seq) = (restated.encounter, restated.seq)"
            ).format(self._name(TABLES[name]))
            self._cursor.execute(query, (encounters, numbers))

    def _mark(self, declarations: Sequence[tuple[UUID, int]], undone: bool) -> None:
        """Mark facts that were written before as undone, or as standing again."""
        encounters, numbers = (list(column) for column in zip(*declarations, strict=True))
        for table in FACTS:
            query = SQL(
                "UPDATE {} t SET undone = %s FROM unnest(%s::uuid[], %s::bigint[]) AS marked (encounter, declaration)"
                " WHERE (t.encounter, t.declaration) = (marked.encounter, marked.declaration)"
            ).format(self._name(table))
            self._cursor.execute(query, (undone, encounters, numbers))

    def _name(self, table: TableSchema) -> Identifier:
        return Identifier(self._schema, table.name)


def _columns(names: Iterable[str], of: str | None = None) -> Composable:
    return SQL(", ").join(Identifier(of, name) if of else Identifier(name) for name in names)
