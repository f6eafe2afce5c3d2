"""Check whether the read models match the events, or were edited by hand.

Everything is projected again into temporary tables, which vanish with the transaction, and compared. One snapshot shows
both the tables and their position, so processes that bring in events need not wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from ledger.exchange.backup import connected
from ledger.store.connections import is_read_only
from ledger.store.integrity_checks import GuardFinding
from ledger.store.ledger import LedgerStore
from ledger.store.positions import position_after
from ledger.store.recorder import NEVER_IDLE_TOO_LONG
from projections.readmodels.catalogue import TABLES
from projections.readmodels.projector import TableWriter
from projections.readmodels.recorder import tracked
from projections.readmodels.row_projection import projected_encounter
from projections.readmodels.schema_and_login import FINGERPRINT, FORM, SCHEMA
from projections.story.phrases import counted

_TEMPORARY = "pg_temp"


def check_read_models(ledger: LedgerStore) -> Iterator[GuardFinding]:
    """Tables with other rows than a rebuild would give them. Tables that have to be rebuilt anyway are not checked."""
    with connected(ledger.url) as conn:
        if is_read_only(conn) or not _may_read(conn):
            return
        yield from _found(conn, ledger)


def _found(conn: psycopg.Connection[Any], ledger: LedgerStore) -> list[GuardFinding]:
    """A name refers to the current table, even in an older snapshot, which sees none of its rows. So if a rebuild
    has replaced the tables, they are checked once more."""
    while True:
        with conn.transaction(force_rollback=True):
            conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            conn.execute(NEVER_IDLE_TOO_LONG)
            checked = _whichever_is_current(conn)
            found = _edited(conn, ledger) if _has_this_form(conn) else []
        if not found or _whichever_is_current(conn) == checked:
            return found


def _whichever_is_current(conn: psycopg.Connection[Any]) -> Any:
    """What distinguishes the tables from those of an earlier or later rebuild."""
    return conn.execute("SELECT to_regclass(%s)::oid", (f"{SCHEMA}.{FORM}",)).fetchone()


def _edited(conn: psycopg.Connection[Any], ledger: LedgerStore) -> list[GuardFinding]:
    try:
        _project_again(conn, ledger)
        return list(_differences(conn))
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.UndefinedFunction) as error:
        said = error.diag.message_primary or str(error)
        return [GuardFinding(problem="The tables of the read models were changed.", found=said)]


def _may_read(conn: psycopg.Connection[Any]) -> bool:
    """Whether there are read models that the user, who may be an auditor, can read."""
    query = (
        "SELECT to_regclass(%(form)s) IS NOT NULL AND has_schema_privilege(%(schema)s, 'USAGE')"
        " AND has_table_privilege(to_regclass(%(form)s), 'SELECT')"
        " AND has_database_privilege(current_database(), 'TEMPORARY')"
    )
    try:
        row = conn.execute(query, {"form": f"{SCHEMA}.{FORM}", "schema": SCHEMA}).fetchone()
    except (psycopg.errors.InvalidSchemaName, psycopg.errors.InsufficientPrivilege):
        return False
    return row is not None and bool(row[0])


def _has_this_form(conn: psycopg.Connection[Any]) -> bool:
    row = conn.execute(SQL("SELECT fingerprint FROM {}").format(Identifier(SCHEMA, FORM))).fetchone()
    return row == (FINGERPRINT,)


def _project_again(conn: psycopg.Connection[Any], ledger: LedgerStore) -> None:
    """Everything up to the position of the tables."""
    for name in TABLES:
        conn.execute(
            SQL("CREATE TEMPORARY TABLE {} (LIKE {}) ON COMMIT DROP").format(Identifier(name), Identifier(SCHEMA, name))
        )
    tracked_rows = conn.execute(tracked(SCHEMA), (ledger.name,)).fetchall()
    position = position_after({}, (row[0] for row in tracked_rows))
    writer = TableWriter(conn.cursor(), _TEMPORARY)
    with LedgerStore(ledger.url) as source:
        rows = source.recorder.stream_rows(position)
        for encounter, own in groupby(rows, key=lambda pair: pair[0]):
            writer.write(projected_encounter(ledger, encounter, [row for _, row in own]).rows)
    writer.flush()


def _differences(conn: psycopg.Connection[Any]) -> Iterator[GuardFinding]:
    compare = SQL(
        "SELECT count(*) FILTER (WHERE mark = 'stored'), count(*) FILTER (WHERE mark = 'projected'),"
        " (SELECT string_agg(DISTINCT encounter::text, ', ') FROM (SELECT encounter FROM difference LIMIT 3) AS first)"
        " FROM difference"
    )
    for name in TABLES:
        stored, projected = Identifier(SCHEMA, name), Identifier(_TEMPORARY, name)
        difference = SQL(
            "WITH stored AS (SELECT * FROM {stored} EXCEPT ALL SELECT * FROM {projected}),"
            " projected AS (SELECT * FROM {projected} EXCEPT ALL SELECT * FROM {stored}),"
            " difference AS (SELECT encounter, 'stored' AS mark FROM stored"
            " UNION ALL SELECT encounter, 'projected' FROM projected) "
        ).format(stored=stored, projected=projected)
        row = conn.execute(difference + compare).fetchone()
        if row is not None and (row[0] or row[1]):
            yield GuardFinding(
                problem=f"The read model {name} was edited: it does not match the events of {row[2]}.",
                expected=f"{counted(row[1], 'row')} that it does not have",
                found=f"{counted(row[0], 'row')} that it should not have",
            )
