"""Installing the ledger's tables, and refusing those of a newer version."""

from __future__ import annotations

from importlib.resources import files

import psycopg

from ledger.errors import DatabaseProblem

SCHEMA_VERSION = 1
_INSTALL_LOCK = 0x636F6D626174  # any constant: two first commands at once must not both install


def ensure_schema(conn: psycopg.Connection[tuple[int]]) -> None:
    """Make sure that the tables are there and are of a version this code can work with."""
    version = _installed_version(conn)
    if version is None:
        version = _install(conn)
    if version > SCHEMA_VERSION:
        raise DatabaseProblem(
            "database/newer-schema",
            f"This ledger has schema version {version} and this combatlog knows up to {SCHEMA_VERSION}; "
            "upgrade combatlog to use it.",
        )


def _installed_version(conn: psycopg.Connection[tuple[int]]) -> int | None:
    try:
        row = conn.execute("SELECT max(version) FROM combatlog.schema_version").fetchone()
    except psycopg.errors.UndefinedTable:
        return None
    return row[0] if row else None


def _install(conn: psycopg.Connection[tuple[int]]) -> int:
    with conn.transaction():
        conn.execute("SELECT pg_advisory_xact_lock(%s)", (_INSTALL_LOCK,))
        if conn.execute("SELECT FROM pg_namespace WHERE nspname = 'combatlog'").fetchone() is None:
            conn.execute(files("ledger").joinpath("schema.sql").read_bytes())
    return _installed_version(conn) or SCHEMA_VERSION
