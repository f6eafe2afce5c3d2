"""Maintenance of a ledger: upgrading its tables and making a backup; `ledger.restore` puts one back."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any, NamedTuple
from uuid import UUID

import psycopg

from ledger.backup_chain import BackupRow, Chain
from ledger.connections import connect
from ledger.database_errors import explain, unusable
from ledger.errors import Problem
from ledger.roles import renew_roles
from ledger.schema import (
    SCHEMA_VERSION,
    ensure_schema,
    installed_version,
    is_distributed,
    require_utf8,
    upgrade,
)

FORMAT = "combatlog backup 1"
_EVENTS = (
    "SELECT originator_id, originator_version, topic, state, hash, notification_id"
    " FROM combatlog.ledger_events ORDER BY notification_id"
)
_AT_A_TIME = 200
Line = dict[str, Any]
"""A line of a backup. The first one says what it is; the last one how many events it has, how many of them are damaged,
and the hash of all lines before it.
"""
Progress = Callable[[int, int], None]
"""Called with how much of how much is done."""


def no_progress(done: int, total: int) -> None:
    """Nobody watches."""


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection with the user's own rights, for what the writer's role may not do."""
    try:
        with connect(url) as conn:
            require_utf8(conn)
            yield conn
    except psycopg.Error as error:
        raise explain(error) or unusable(error) from error


def upgrade_ledger(url: str) -> tuple[int, int]:
    """Run the steps that the ledger lacks, and return the versions before and after."""
    with connected(url) as conn:
        before = installed_version(conn)
        if before > SCHEMA_VERSION:
            ensure_schema(conn)
        after = upgrade(conn)
        if after != before:
            renew_roles(conn)
        return before, after


class Damage(NamedTuple):
    """An event that is not as it was recorded."""

    encounter: UUID
    seq: int
    why: str


class BackedUp(NamedTuple):
    events: int
    damaged: list[Damage]


def back_up(url: str, path: Path, *, seeds: bool = False, progress: Progress = no_progress) -> BackedUp:
    """Write every event, in the order of commits. The file appears only once it is complete.

    Whoever has the seeds of committed dice knows every face to come, so they are written only on request.
    """
    if os.path.lexists(path):
        raise Problem("backup/exists", f"{path} exists already; a backup never overwrites a file.", file=str(path))
    try:
        with _draft(path) as draft:
            with connected(url) as conn, draft.open("w", encoding="utf-8") as file:
                _require_one_sequence(conn)
                done = _write(conn, file, seeds, progress)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    except OSError as error:
        raise Problem("file/unwritable", f"{path} cannot be written: {error.strerror}.", file=str(path)) from error
    return done


def _require_one_sequence(conn: psycopg.Connection[Any]) -> None:
    """Restoring needs an order in which every event comes after those that it refers to."""
    if is_distributed(conn):
        raise Problem(
            "backup/several-nodes",
            "Several nodes write this ledger, so its events have no common order; back up each node as a server.",
        )


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A new file beside the path that only its owner can read, under a name that nobody can foresee."""
    handle, name = mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _write(conn: psycopg.Connection[Any], file: IO[str], seeds: bool, progress: Progress) -> BackedUp:
    """In one snapshot, with every hash checked. Damage is marked: it is evidence, and the rest has to be kept too."""
    digest, count, damaged = sha256(), 0, list[Damage]()

    def put(line: Line) -> None:
        text = json.dumps(line) + "\n"
        digest.update(text.encode())
        file.write(text)

    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        version, total = installed_version(conn), _count(conn)
        put({"format": FORMAT, "schema": version})
        chain = Chain(lambda: conn, "combatlog", "ledger_events")
        for count, row in enumerate(_rows(conn), start=1):
            why = chain.damage(row)
            if why is not None:
                damaged.append(Damage(row.encounter, row.seq, why))
            put(_event_line(row) | ({"damage": why} if why is not None else {}))
            progress(count, total)
        for encounter, seed in conn.execute("SELECT * FROM combatlog.dice_seeds") if seeds and version > 1 else ():
            put({"seed_of": str(encounter), "seed": b64encode(seed).decode()})
    file.write(json.dumps({"events": count, "damaged": len(damaged), "sha256": digest.hexdigest()}) + "\n")
    return BackedUp(count, damaged)


def _count(conn: psycopg.Connection[Any]) -> int:
    row = conn.execute("SELECT count(*) FROM combatlog.ledger_events").fetchone()
    return int(row[0]) if row else 0


def _rows(conn: psycopg.Connection[Any]) -> Iterator[BackupRow]:
    """Every event, in the order of commits. A server's cursor holds them, so that some at a time are here."""
    with conn.cursor("backup", binary=True) as cursor:
        cursor.itersize = _AT_A_TIME
        cursor.execute(_EVENTS)
        yield from map(BackupRow._make, cursor)


def _event_line(row: BackupRow) -> Line:
    return {
        "encounter": str(row.encounter),
        "seq": row.seq,
        "topic": row.topic,
        "state": b64encode(row.state).decode(),
        "hash": row.hash.hex(),
    }
