"""Read the tables: in a transaction that cannot write, within a time limit, with the fewest rights that suffice.

The program's own queries run on the ledger's connection as `combatlog_reader`, which guards against mistakes. Queries
written by users run as a database user who can do nothing else (`schema_and_login`), which guards the ledger against
them.

On one server, a rebuild swaps in its tables at one moment. The nodes of a cluster commit one after another; until the
last one has, a node may ask another for a table that is missing there, and such a query is repeated. Dates that
PostgreSQL has and Python does not are kept as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, NamedTuple, Protocol, TypeVar

import psycopg
from eventsourcing.persistence import ProgrammingError
from psycopg import Connection, Cursor
from psycopg.abc import Loader
from psycopg.adapt import Buffer
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier
from psycopg.types import datetime as dates

from ledger.errors import Problem
from ledger.store.connections import driver_error, explain
from ledger.store.schema import let_roles_in, privilege_to_switch
from projections.readmodels.catalogue import TABLES
from projections.readmodels.schema_and_login import READER, SCHEMA, query_connection

_LOADERS: dict[str, type[Any]] = {
    "date": dates.DateLoader,
    "time": dates.TimeLoader,
    "timetz": dates.TimetzLoader,
    "timestamp": dates.TimestampLoader,
    "timestamptz": dates.TimestamptzLoader,
    "interval": dates.IntervalLoader,
}


def accept_any_date(cursor: Cursor[Any]) -> None:
    for name, loader in _LOADERS.items():
        cursor.adapters.register_loader(name, _or_text(loader))


def _or_text(usual: type[Any]) -> type[Loader]:
    class OrText(usual):  # type: ignore[misc]
        def load(self, data: Buffer) -> Any:
            try:
                return super().load(data)
            except (psycopg.DataError, ValueError, OverflowError):
                return bytes(data).decode()

    return OrText


_PATIENCE = 5.0
_PAUSE = 0.02
Found = TypeVar("Found")


def once_in_place(work: Callable[[], Found]) -> Found:
    """Do something with the tables, and repeat it if one of them was missing for a moment."""
    end = monotonic() + _PATIENCE
    while True:
        try:
            return work()
        except (psycopg.errors.UndefinedTable, ProgrammingError) as error:
            if not isinstance(driver_error(error), psycopg.errors.UndefinedTable) or monotonic() > end:
                raise
            sleep(_PAUSE)


SECONDS = 10.0
Row = TypeVar("Row")


def ensure_role(cursor: Cursor[Any]) -> str | None:
    """The reading role, of which a server has one; None if it is missing and the user may not create it."""
    cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", (READER,))
    if cursor.fetchone() is not None:
        return READER
    reader = Identifier(READER)
    try:
        with cursor.connection.transaction():
            cursor.execute(SQL("CREATE ROLE {} NOLOGIN").format(reader))
            cursor.execute(SQL("GRANT {} TO CURRENT_USER").format(reader))
            let_roles_in(cursor.connection)
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        return READER  # another database of this server was faster
    except psycopg.errors.InsufficientPrivilege:
        return None
    return READER


@contextmanager
def reading(conn: Connection[Any], *, seconds: float = SECONDS) -> Iterator[Cursor[tuple[Any, ...]]]:
    """A cursor on the read models that can only read."""
    try:
        with conn.transaction(), conn.cursor(row_factory=tuple_row) as cursor:
            begin = "SET TRANSACTION READ ONLY; SET LOCAL search_path TO {}; SET LOCAL statement_timeout TO {}"
            cursor.execute(SQL(begin).format(Identifier(SCHEMA), int(seconds * 1000)))
            _take_role(cursor)
            yield cursor
    except psycopg.OperationalError as error:
        if isinstance(error, psycopg.errors.QueryCanceled):
            raise Problem(
                "sql/too-slow", f"The query took longer than {seconds:g} seconds and was stopped.", seconds=seconds
            ) from error
        raise explain(error) or error from error


def _take_role(cursor: Cursor[Any]) -> None:
    """Take the reading role if the user may. The program's own queries also run without it."""
    cursor.execute(
        "SELECT FROM pg_roles WHERE rolname = %s AND pg_has_role(oid, %s) AND has_schema_privilege(oid, %s, 'USAGE')",
        (READER, privilege_to_switch(cursor.connection), SCHEMA),
    )
    if cursor.fetchone() is not None:
        cursor.execute(SQL("SET LOCAL ROLE {}").format(Identifier(READER)))


class QueryCursor(Protocol):
    """What statistics query: a cursor of PostgreSQL, or one of a lake."""

    def execute(self, query: Any, parameters: Any = None, /) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def fetchone(self) -> Any: ...

    @property
    def description(self) -> Sequence[Any] | None: ...


def fetch(asked: QueryCursor, row: type[Row], query: str, parameters: Mapping[str, Any]) -> list[Row]:
    """The rows of a query, with their columns as the fields of `row`.

    The query consists of this program's own constants; input from users is passed as parameters.
    """
    asked.execute(query, parameters)
    names = [column[0] for column in asked.description or ()]
    return [row(**dict(zip(names, values, strict=True))) for values in asked.fetchall()]


class QueryAnswer(NamedTuple):
    """The result of a user's own query. Its columns may have any names, even duplicates."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def records(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def ask(conn: Connection[Any], query: str, *, seconds: float = SECONDS) -> QueryAnswer:
    """The answer to one SELECT written by a user. The connection only says which ledger it is about."""
    with query_connection(conn) as own, reading(own, seconds=seconds) as cursor:
        accept_any_date(cursor)
        try:
            # A cursor can be declared for a query only, and the binary protocol takes one statement only.
            declared = f"DECLARE answer NO SCROLL CURSOR FOR {query.strip().rstrip(';')}"
            cursor.execute(declared, binary=True)
            cursor.execute("FETCH ALL FROM answer", binary=False)
        except psycopg.errors.QueryCanceled:
            raise
        except psycopg.Error as error:
            if own.closed:
                raise
            raise _refused(error) from error
        return QueryAnswer([column.name for column in cursor.description or ()], cursor.fetchall())


def _refused(error: psycopg.Error) -> Problem:
    said = error.diag.message_primary or str(error)
    if isinstance(error, psycopg.errors.InsufficientPrivilege | psycopg.errors.ReadOnlySqlTransaction):
        return Problem("sql/read-only", f"Only the read models can be asked, and nothing can be changed: {said}.")
    return Problem("sql/refused", f"PostgreSQL refuses this query: {said}.", reason=said)


class DescribedColumn(NamedTuple):
    name: str
    type: str
    meaning: str


class DescribedTable(NamedTuple):
    table: str
    meaning: str
    columns: list[DescribedColumn]


class _CatalogueRow(NamedTuple):
    table: str
    table_meaning: str | None
    name: str
    type: str
    meaning: str | None


_CATALOGUE = """
SELECT c.relname AS table, obj_description(c.oid) AS table_meaning, a.attname AS name,
       format_type(a.atttypid, a.atttypmod) AS type, col_description(c.oid, a.attnum) AS meaning
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = %(schema)s::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname, a.attnum"""


def describe(conn: Connection[Any]) -> list[DescribedTable]:
    """The tables with their comments, as the database has them."""
    with reading(conn) as cursor:
        return _by_table(fetch(cursor, _CatalogueRow, _CATALOGUE, {"schema": SCHEMA}))


def _by_table(rows: Sequence[_CatalogueRow]) -> list[DescribedTable]:
    """Tables whose columns have a meaning; all others are internal."""
    described: dict[str, DescribedTable] = {}
    for row in map(_with_meaning, rows):
        if row.meaning is not None:
            table = described.setdefault(row.table, DescribedTable(row.table, row.table_meaning or "", []))
            table.columns.append(DescribedColumn(row.name, row.type, row.meaning))
    return list(described.values())


def _with_meaning(row: _CatalogueRow) -> _CatalogueRow:
    """Citus gives comments to the coordinator only, so a worker shows the meanings that this program knows."""
    if row.meaning is not None or row.table not in TABLES:
        return row
    table = TABLES[row.table]
    meanings = {column.name: column.meaning for column in table.columns}
    return row._replace(table_meaning=table.meaning, meaning=meanings.get(row.name))
