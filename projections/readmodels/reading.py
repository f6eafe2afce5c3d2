"""Reading the tables: through a role that can do nothing else, in a transaction that cannot write, within a time limit.

It guards against accidents. Whoever has the ledger's URL can do more than this role; people who should not, get the
role alone: `GRANT combatlog_reader TO somebody`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import psycopg
from psycopg import Cursor
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.recorder import explain
from projections.readmodels.ddl import READER, SCHEMA

SECONDS = 10.0


class Answer(NamedTuple):
    columns: list[str]
    rows: list[tuple[Any, ...]]


def ensure_role(cursor: Cursor[Any]) -> None:
    """Make the reading role, once for the whole server, and let the ledger's user take it."""
    cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", (READER,))
    if cursor.fetchone() is not None:
        return
    reader = Identifier(READER)
    try:
        with cursor.connection.transaction():
            cursor.execute(SQL("CREATE ROLE {} NOLOGIN").format(reader))
            cursor.execute(SQL("GRANT {} TO CURRENT_USER").format(reader))
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        return  # another database of this server was faster
    except psycopg.errors.InsufficientPrivilege as error:
        raise Problem(
            "projections/no-role",
            f"The database's user may not create the role {READER} that queries run as; "
            f"have an administrator run `CREATE ROLE {READER}` and `GRANT {READER} TO` that user.",
        ) from error


@contextmanager
def reading(url: str, *, seconds: float = SECONDS) -> Iterator[Cursor[tuple[Any, ...]]]:
    """A cursor on the read models that can only read."""
    try:
        with psycopg.connect(url, row_factory=tuple_row) as conn, conn.cursor() as cursor:
            conn.read_only = True
            cursor.execute(SQL("SET LOCAL search_path TO {}").format(Identifier(SCHEMA)))
            cursor.execute(SQL("SET LOCAL statement_timeout TO {}").format(int(seconds * 1000)))
            _take_role(cursor)
            yield cursor
    except psycopg.OperationalError as error:
        if isinstance(error, psycopg.errors.QueryCanceled):
            raise Problem(
                "sql/too-slow", f"The query took longer than {seconds:g} seconds and was stopped.", seconds=seconds
            ) from error
        raise explain(error) or error from error


def _take_role(cursor: Cursor[Any]) -> None:
    try:
        cursor.execute(SQL("SET LOCAL ROLE {}").format(Identifier(READER)))
    except psycopg.errors.InsufficientPrivilege as error:
        user = cursor.connection.info.user
        raise Problem(
            "projections/no-role",
            f"Queries run as {READER}, which somebody else has made on this server; have them say "
            f"GRANT {READER} TO {user}.",
        ) from error


def ask(url: str, query: str, *, seconds: float = SECONDS) -> Answer:
    """The answer to one SELECT that a person wrote."""
    with reading(url, seconds=seconds) as cursor:
        try:
            # A cursor can be declared for a query only, and one statement only can be prepared.
            declared = f"DECLARE answer NO SCROLL CURSOR FOR {query.strip().rstrip(';')}"
            cursor.execute(declared, prepare=True)
            cursor.execute("FETCH ALL FROM answer")
        except psycopg.errors.QueryCanceled:
            raise
        except psycopg.Error as error:
            raise _refused(error) from error
        return Answer([column.name for column in cursor.description or ()], cursor.fetchall())


def _refused(error: psycopg.Error) -> Problem:
    said = error.diag.message_primary or str(error)
    if isinstance(error, psycopg.errors.InsufficientPrivilege | psycopg.errors.ReadOnlySqlTransaction):
        return Problem("sql/read-only", f"Only the read models can be asked, and nothing can be changed: {said}.")
    return Problem("sql/refused", f"PostgreSQL refuses this query: {said}.", reason=said)


class Described(NamedTuple):
    table: str
    meaning: str
    columns: list[tuple[str, str, str]]


def describe(url: str) -> list[Described]:
    """The tables with their comments, as the database has them."""
    with reading(url) as cursor:
        cursor.execute(
            "SELECT c.relname, obj_description(c.oid), a.attname, format_type(a.atttypid, a.atttypmod),"
            " col_description(c.oid, a.attnum) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped"
            " AND col_description(c.oid, a.attnum) IS NOT NULL ORDER BY c.relname, a.attnum",
            (SCHEMA,),
        )
        return _by_table(cursor.fetchall())


def _by_table(rows: Sequence[tuple[Any, ...]]) -> list[Described]:
    described: dict[str, Described] = {}
    for table, meaning, column, kind, comment in rows:
        described.setdefault(table, Described(table, meaning, [])).columns.append((column, kind, comment))
    return list(described.values())
