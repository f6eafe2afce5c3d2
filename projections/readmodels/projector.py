"""Bringing a batch of events into the tables: folded encounter by encounter, written table by table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import Notification
from psycopg import Cursor
from psycopg.sql import SQL, Composable, Identifier

from ledger.recorder import Row, encounter_of
from ledger.store import Ledger
from projections.readmodels.catalogue import FACTS, STATES, TABLES
from projections.readmodels.facts import OF_THE_STATE
from projections.readmodels.kept_projections import KeptProjections
from projections.readmodels.row_projection import RowProjection
from projections.readmodels.state_changes import Key
from projections.readmodels.tables import Table
from projections.readmodels.writer import Row as WrittenRow
from projections.readmodels.writer import Writer


def project(
    cursor: Cursor[Any], schema: str, ledger: Ledger, notifications: Sequence[Notification], kept: KeptProjections
) -> None:
    batch = _Batch(cursor, schema)
    for encounter, rows in _by_encounter(notifications).items():
        projection = kept.take(ledger, encounter, rows[0].seq)
        for row in rows:
            projection.feed(row)
        batch.add(projection)
        kept.keep(projection)
    batch.write()


def _by_encounter(notifications: Iterable[Notification]) -> dict[UUID, list[Row]]:
    found: dict[UUID, list[Row]] = {}
    for notification in notifications:
        row = Row(notification.originator_version, notification.topic, bytes(notification.state), b"")
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
        """Encounters of which nobody knows here what the tables say about their state."""
        self._gone: dict[str, list[Key]] = {}
        self._restated: list[tuple[UUID, int]] = []
        """Events whose rows are made anew."""
        self._marks: dict[bool, list[tuple[UUID, int]]] = {True: [], False: []}
        self._rows: list[WrittenRow] = []

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
        """Marks first: the new facts have theirs already."""
        self._forget_unknown()
        for table, keys in self._gone.items():
            self._delete(TABLES[table], keys)
        for undone, declarations in self._marks.items():
            if declarations:
                self._mark(declarations, undone)
        if self._restated:
            self._remove_restated()
        writer = Writer(self._cursor, self._schema)
        writer.write(self._rows)
        writer.flush()

    def _forget_unknown(self) -> None:
        for table in STATES if self._unknown else ():
            query = SQL("DELETE FROM {} WHERE encounter = ANY(%s)").format(self._name(table))
            self._cursor.execute(query, (self._unknown,))

    def _delete(self, table: Table, keys: Sequence[Key]) -> None:
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

    def _name(self, table: Table) -> Identifier:
        return Identifier(self._schema, table.name)


def _columns(names: Iterable[str], of: str | None = None) -> Composable:
    return SQL(", ").join(Identifier(of, name) if of else Identifier(name) for name in names)
