"""The SQL that creates the tables of the catalogue, and the database user that users' own queries run as.

This database user can log in, read the read models, and do nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from secrets import token_hex, token_urlsafe
from typing import Any, NamedTuple

import psycopg
from psycopg import Connection
from psycopg.rows import class_row
from psycopg.sql import SQL, Composable, Composed, Identifier, Literal

from ledger.errors import Problem
from ledger.json_shapes import EARLIEST, LATEST
from projections.readmodels.catalogue import TABLES
from projections.readmodels.tables import TableSchema

SCHEMA = "combatlog_read"
READER = "combatlog_reader"
FORM = "read_model_form"
"""A table with one row that identifies the version of the installed tables."""


def create_tables(schema: str) -> Iterator[Composed]:
    yield SQL("CREATE TABLE {} (fingerprint text PRIMARY KEY)").format(Identifier(schema, FORM))
    comment = SQL("COMMENT ON TABLE {} IS 'Which form of the read models this is; for the program only.'")
    yield comment.format(Identifier(schema, FORM))
    yield SQL("INSERT INTO {} VALUES ({})").format(Identifier(schema, FORM), Literal(FINGERPRINT))
    for table in TABLES.values():
        yield _create(schema, table)
        yield from _comments(schema, table)


def add_keys(schema: str) -> Iterator[Composed]:
    """Separate from the tables, because filling them without keys is faster."""
    for table in TABLES.values():
        key = SQL(", ").join(map(Identifier, table.key))
        yield SQL("ALTER TABLE {} ADD PRIMARY KEY ({})").format(Identifier(schema, table.name), key)


def allow_reading(schema: str, role: str) -> Iterator[Composed]:
    yield SQL("GRANT USAGE ON SCHEMA {} TO {}").format(Identifier(schema), Identifier(role))
    yield SQL("GRANT SELECT ON ALL TABLES IN SCHEMA {} TO {}").format(Identifier(schema), Identifier(role))


def _create(schema: str, table: TableSchema) -> Composed:
    # The definitions are constants of the catalogue, never input.
    columns: Composable = SQL(", ").join(SQL(column.definition) for column in table.columns)
    return SQL("CREATE TABLE {} ({})").format(Identifier(schema, table.name), columns)


def _comments(schema: str, table: TableSchema) -> Iterator[Composed]:
    name = Identifier(schema, table.name)
    yield SQL("COMMENT ON TABLE {} IS {}").format(name, Literal(table.meaning))
    for column in table.columns:
        place = Identifier(schema, table.name, column.name)
        yield SQL("COMMENT ON COLUMN {} IS {}").format(place, Literal(column.meaning))


def _shape(table: TableSchema) -> tuple[object, ...]:
    return table.name, table.key, tuple((column.name, column.type) for column in table.columns)


_DATES = (EARLIEST.isoformat(), LATEST.isoformat())
FINGERPRINT = sha256(repr((_DATES, [_shape(table) for table in TABLES.values()])).encode()).hexdigest()[:16]
"""A digest of names, types and the range of dates, but not of meanings: better wording must not force a rebuild."""


class QueryLogin(NamedTuple):
    role: str
    password: str


@contextmanager
def query_connection(conn: Connection[Any]) -> Iterator[Connection[Any]]:
    """A separate connection to the same database, logged in as the user for queries."""
    login = _ensure_login(conn)
    try:
        opened = psycopg.connect(**_settings(conn, login), autocommit=True)  # type: ignore[arg-type]
    except psycopg.OperationalError as error:
        reason = [line for line in str(error).strip().splitlines() if not line[:1].isspace()][-1].rstrip(".")
        raise Problem(
            "sql/no-login",
            f"A query runs as the database user {login.role}, who can only read the read models, "
            f"but the server, or a pooler in front of it, does not let this user log in: {reason}.",
            name=login.role,
            reason=reason,
        ) from error
    with opened:
        _require_this_user(opened, login.role)
        _require_powerless(opened)
        yield opened


def _settings(conn: Connection[Any], login: QueryLogin) -> dict[str, str]:
    settings = {name: value for name, value in conn.info.get_parameters().items() if name != "options"}
    return {**settings, "user": login.role, "password": login.password}


def _ensure_login(conn: Connection[Any]) -> QueryLogin:
    """The user for queries. It is created on first use, including after a dump was restored on another server."""
    try:
        login = _stored_login(conn)
        if not _is_there(conn, login):
            _create_login(conn, login)
        if not _may_read(conn, login):
            for grant in allow_reading(SCHEMA, login.role):
                conn.execute(grant)
    except psycopg.errors.InsufficientPrivilege as error:
        user = conn.info.user
        raise Problem(
            "sql/no-login",
            f"A query runs as a database user who can only read the read models, and {user} cannot set up that user; "
            "it takes the owner of the ledger with the right to create roles.",
            name=user,
            reason=error.diag.message_primary,
        ) from error
    return login


def _stored_login(conn: Connection[Any]) -> QueryLogin:
    with conn.cursor(row_factory=class_row(QueryLogin)) as cursor:
        found = cursor.execute("SELECT role, password FROM combatlog.query_login").fetchone()
        if found is None:
            cursor.execute(
                "INSERT INTO combatlog.query_login (role, password) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (f"combatlog_query_{token_hex(6)}", token_urlsafe(32)),
            )
            found = cursor.execute("SELECT role, password FROM combatlog.query_login").fetchone()
    assert found is not None
    return found


def _is_there(conn: Connection[Any], login: QueryLogin) -> bool:
    return conn.execute("SELECT FROM pg_roles WHERE rolname = %s", (login.role,)).fetchone() is not None


def _create_login(conn: Connection[Any], login: QueryLogin) -> None:
    """The server gets only the password's verifier, so its log does not show the password."""
    verifier = conn.pgconn.encrypt_password(login.password.encode(), login.role.encode(), b"scram-sha-256").decode()
    create = SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(Identifier(login.role), Literal(verifier))
    try:
        conn.execute(create)
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        return  # another command was faster


def _may_read(conn: Connection[Any], login: QueryLogin) -> bool:
    """A rebuild creates new tables, which the user for queries may not read yet."""
    query = "SELECT FROM pg_roles WHERE rolname = %s AND has_schema_privilege(oid, %s, 'USAGE')"
    return conn.execute(query, (login.role, SCHEMA)).fetchone() is not None


def _require_this_user(conn: Connection[Any], role: str) -> None:
    """A pooler may log everyone in as the same user, whoever they claim to be."""
    found = conn.execute("SELECT session_user::text").fetchone()
    if found != (role,):
        user = found[0] if found is not None else None
        raise Problem(
            "sql/no-login",
            f"A query runs as the database user {role}, who can only read the read models, "
            f"but a pooler in front of the server logs this user in as {user}.",
            name=role,
            found=user,
        )


def _require_powerless(conn: Connection[Any]) -> None:
    """The user may have been given more rights since."""
    found = conn.execute(
        "SELECT FROM pg_roles WHERE rolname = session_user"
        " AND NOT (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)"
        " AND NOT EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid)"
        " AND NOT has_schema_privilege('combatlog', 'USAGE')"
    ).fetchone()
    if found is None:
        raise Problem(
            "sql/no-login",
            f"Queries run as the database user {conn.info.user}, who has been given more rights than to read the "
            "read models; they have to be revoked first.",
            name=conn.info.user,
        )
