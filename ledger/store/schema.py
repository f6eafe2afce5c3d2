"""Install and upgrade the tables and the database roles; refuse tables of another version.

With the roles, combatlog works with only the rights to append and to read. Installed steps never change; a new version
adds a step.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import psycopg
from psycopg.sql import SQL

from ledger.errors import DatabaseProblem

WRITER = "combatlog_writer"
READER = "combatlog_auditor"
INSTALL_LOCK = 0x636F6D626174
"""An arbitrary constant. Two commands at once must not both install the tables or grant rights."""


_ONE_AFTER_THE_OTHER = (
    "SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true) FROM pg_extension WHERE extname = 'citus'"
)
"""Without it, a Citus cluster cannot grant rights on tables of different types in one transaction."""


def script() -> str:
    """The SQL script that creates the roles and, on a cluster, lets them log in."""
    return _read("roles.sql") + _read("roles_on_citus.sql")


def _read(name: str) -> str:
    return files("ledger.store").joinpath("sql", name).read_text("utf-8")


def let_roles_in(conn: psycopg.Connection[Any]) -> None:
    """Let the existing roles log in on every node of a cluster. On a single server, do nothing."""
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
            "The database user may not create roles; ask an administrator to do it. "
            "Everything also works without them, with the user's own rights.",
        ) from error


def offer_roles(conn: psycopg.Connection[Any]) -> None:
    """Create the roles for a new ledger if the user may do so. Everything works without them."""
    try:
        apply_roles(conn)
    except DatabaseProblem:
        return


def renew_roles(conn: psycopg.Connection[Any]) -> None:
    """After an upgrade, grant existing roles the rights to new functions."""
    if conn.execute("SELECT FROM pg_roles WHERE rolname = %s", (WRITER,)).fetchone() is not None:
        offer_roles(conn)


def usable_writer(conn: psycopg.Connection[Any]) -> str | None:
    """The writer's role, if it exists and has the rights it needs, and the user may switch to it."""
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
    """The name of the right to SET ROLE for `pg_has_role`. Up to PostgreSQL 15, every member of a role has it."""
    return "SET" if conn.info.server_version >= 160000 else "MEMBER"


STEPS = (
    "01_ledger.sql",
    "02_dice_seeds.sql",
    "03_guarded_append.sql",
    "04_unlocked_append.sql",
    "05_encounter_lock.sql",
    "06_query_login.sql",
    "07_snapshots.sql",
    "08_guarded_locks.sql",
    "09_checked_append.sql",
    "10_beginnings.sql",
    "11_many_appends.sql",
    "12_labels.sql",
    "13_insertions.sql",
    "14_seats.sql",
    "15_webhooks.sql",
    "16_nodes.sql",
)
SCHEMA_VERSION = len(STEPS)
_PATIENCE = "30s"
"""How long to wait for the install lock. Anyone can hold it, because no ledger yet restricts locks to its owner."""


def require_utf8(conn: psycopg.Connection[Any]) -> None:
    """Refuse a database with another encoding than UTF-8: it could not return some of the events that it stored."""
    encoding = conn.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise DatabaseProblem(
            "database/encoding",
            f"The database has the encoding {encoding}, but a ledger needs UTF8; "
            "create the database with ENCODING 'UTF8' TEMPLATE template0.",
            found=encoding,
            needed="UTF8",
        )


def is_distributed(conn: psycopg.Connection[Any]) -> bool:
    """Whether several nodes write this ledger. The function is installed by `ledger.store.citus`."""
    row = conn.execute("SELECT to_regproc('combatlog.recorded_hash') IS NOT NULL").fetchone()
    return row is not None and bool(row[0])


def ensure_schema(conn: psycopg.Connection[Any]) -> None:
    """Make sure that the tables exist and have the version that this code needs."""
    version = installed_version(conn) or _install(conn)
    if version > SCHEMA_VERSION:
        raise DatabaseProblem(
            "database/newer-schema",
            f"This ledger has schema version {version}, but this combatlog supports only versions up to "
            f"{SCHEMA_VERSION}; upgrade combatlog.",
            found=version,
            needed=SCHEMA_VERSION,
        )
    if version < SCHEMA_VERSION:
        raise DatabaseProblem(
            "database/older-schema",
            f"This ledger has schema version {version}, but this combatlog needs {SCHEMA_VERSION}; "
            "make a backup, then upgrade the ledger.",
            found=version,
            needed=SCHEMA_VERSION,
        )


def _install(conn: psycopg.Connection[Any]) -> int:
    version = upgrade(conn)
    offer_roles(conn)
    return version


def installed_version(conn: psycopg.Connection[Any]) -> int:
    """The version of the ledger's tables; 0 if there are none."""
    try:
        row = conn.execute("SELECT max(version) FROM combatlog.schema_version").fetchone()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        return 0
    return int(row[0]) if row and row[0] is not None else 0


def upgrade(conn: psycopg.Connection[Any], upto: int = SCHEMA_VERSION) -> int:
    """Run the missing schema steps, all or none, and return the new version."""
    with conn.transaction():
        conn.execute(SQL("SET LOCAL lock_timeout = {}").format(_PATIENCE))
        conn.execute("SELECT pg_advisory_xact_lock(%s)", (INSTALL_LOCK,))
        for version in range(_version_inside(conn) + 1, upto + 1):
            _run(conn, STEPS[version - 1])
            conn.execute("INSERT INTO combatlog.schema_version (version) VALUES (%s)", (version,), prepare=False)
    return installed_version(conn)


def _run(conn: psycopg.Connection[Any], name: str) -> None:
    """Run a step: statement by statement on a cluster, otherwise all at once, which is faster."""
    step = files("ledger.store").joinpath("sql", name).read_text("utf-8")
    for statement in statements(step) if is_distributed(conn) else [step]:
        conn.execute(statement.encode(), prepare=False)


_PART = re.compile(r"\$\$.*?\$\$|'(?:[^']|'')*'|--[^\n]*|.", re.DOTALL)


def statements(script: str) -> list[str]:
    """The statements of a script, one by one: Citus forwards each of them to other nodes as it was sent."""
    found = [""]
    for part in _PART.findall(script):
        if part == ";":
            found.append("")
        elif not part.startswith("--"):
            found[-1] += part
    return [statement.strip() for statement in found if statement.strip()]


def _version_inside(conn: psycopg.Connection[Any]) -> int:
    """Like `installed_version`, but checks the catalogue first: an error would abort the transaction."""
    row = conn.execute("SELECT to_regclass('combatlog.schema_version') IS NOT NULL").fetchone()
    return installed_version(conn) if row and row[0] else 0
