"""Roles: the tool works with no more rights than appending and reading take."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import psycopg

from ledger.errors import DatabaseProblem

WRITER = "combatlog_writer"
READER = "combatlog_auditor"


def script() -> str:
    return files("ledger").joinpath("sql", "roles.sql").read_text("utf-8")


def apply_roles(conn: psycopg.Connection[Any]) -> None:
    try:
        with conn.transaction():
            conn.execute(script().encode())
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseProblem(
            "database/no-roles",
            "This user may not make roles here; have an administrator run what `combatlog db roles` prints. "
            "Without them everything works, with the rights of this user.",
        ) from error


def offer_roles(conn: psycopg.Connection[Any]) -> None:
    """For a fresh ledger: managed servers may not let this user make roles, and it works without them."""
    try:
        apply_roles(conn)
    except DatabaseProblem:
        return


def renew_roles(conn: psycopg.Connection[Any]) -> None:
    """After an upgrade: its functions are new ones, which the roles, if there are any here, have no rights to yet."""
    if conn.execute("SELECT FROM pg_roles WHERE rolname = %s", (WRITER,)).fetchone() is not None:
        offer_roles(conn)


def usable_writer(conn: psycopg.Connection[Any]) -> str | None:
    """The writer, if it is there, may work on this ledger, and may be taken on by this user."""
    found = conn.execute(
        "SELECT FROM pg_roles WHERE rolname = %(writer)s AND pg_has_role(oid, 'SET')"
        " AND has_schema_privilege(oid, 'combatlog', 'USAGE')"
        " AND has_table_privilege(oid, 'combatlog.dice_seeds', 'INSERT')"
        " AND has_function_privilege(oid, to_regprocedure(%(append)s), 'EXECUTE')",
        {"writer": WRITER, "append": "combatlog.append_events(uuid,bigint,text[],bytea[],bytea[])"},
    ).fetchone()
    return WRITER if found is not None else None
