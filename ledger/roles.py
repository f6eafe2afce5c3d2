"""Database roles: combatlog works with no more rights than appending and reading take."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import psycopg

from ledger.errors import DatabaseProblem

WRITER = "combatlog_writer"
READER = "combatlog_auditor"
INSTALL_LOCK = 0x636F6D626174
"""Any constant: two first commands at once must not both install, nor both grant rights."""


_ONE_AFTER_THE_OTHER = (
    "SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true) FROM pg_extension WHERE extname = 'citus'"
)
"""On a Citus cluster, rights on tables of several sorts cannot be granted in one transaction otherwise."""


def script() -> str:
    """On a cluster, it lets the roles in as well."""
    return _read("roles.sql") + _read("roles_on_citus.sql")


def _read(name: str) -> str:
    return files("ledger").joinpath("sql", name).read_text("utf-8")


def let_roles_in(conn: psycopg.Connection[Any]) -> None:
    """Have the roles that there are log in on every node of a cluster. On a server by itself, nothing happens."""
    conn.execute(_read("roles_on_citus.sql").encode())


def apply_roles(conn: psycopg.Connection[Any]) -> None:
    try:
        with conn.transaction():
            conn.execute("SELECT pg_advisory_xact_lock(%s)", (INSTALL_LOCK,))
            conn.execute(_ONE_AFTER_THE_OTHER)
            conn.execute(script().encode())
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseProblem(
            "database/no-roles",
            "The database's user may not create roles; an administrator has to. "
            "Everything works without them, with the user's own rights.",
        ) from error


def offer_roles(conn: psycopg.Connection[Any]) -> None:
    """For a fresh ledger. A managed server may not let the user create roles, and it works without them."""
    try:
        apply_roles(conn)
    except DatabaseProblem:
        return


def renew_roles(conn: psycopg.Connection[Any]) -> None:
    """After an upgrade: existing roles have no rights yet to the functions that it created."""
    if conn.execute("SELECT FROM pg_roles WHERE rolname = %s", (WRITER,)).fetchone() is not None:
        offer_roles(conn)


def usable_writer(conn: psycopg.Connection[Any]) -> str | None:
    """The writer's role, if it exists, has the rights it needs here, and the user may switch to it."""
    found = conn.execute(
        "SELECT FROM pg_roles WHERE rolname = %(writer)s AND pg_has_role(oid, %(switch)s)"
        " AND has_schema_privilege(oid, 'combatlog', 'USAGE')"
        " AND has_table_privilege(oid, 'combatlog.dice_seeds', 'INSERT')"
        " AND has_table_privilege(oid, to_regclass('combatlog.revoked_seats'), 'INSERT')"
        " AND has_table_privilege(oid, to_regclass('combatlog.webhooks'), 'UPDATE')"
        " AND has_function_privilege(oid, to_regprocedure(%(append)s), 'EXECUTE')"
        " AND has_function_privilege(oid, to_regprocedure(%(lock)s), 'EXECUTE')",
        {
            "writer": WRITER,
            "switch": privilege_to_switch(conn),
            "append": "combatlog.append_with_seed(uuid,bigint,text[],bytea[],bytea[],bytea)",
            "lock": "combatlog.lock_encounter(uuid)",
        },
    ).fetchone()
    return WRITER if found is not None else None


def privilege_to_switch(conn: psycopg.Connection[Any]) -> str:
    """What `pg_has_role` calls the right to SET ROLE. Up to PostgreSQL 15, every member of a role has it."""
    return "SET" if conn.info.server_version >= 160000 else "MEMBER"
