"""Restoring a backup: checked line by line on its way into a table of its own, and recorded once all of it is right."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from ledger.backup_chain import BackupRow, Chain
from ledger.errors import Problem
from ledger.schema import SCHEMA_VERSION, ensure_schema
from ledger.upkeep import FORMAT, Line, Progress, connected, no_progress

MAX_LINE = 32_000_000
"""Characters of one line; the largest event contains a file of 2 MB."""
_WAITING = """
    CREATE TEMPORARY TABLE restored_events (
        originator_id uuid NOT NULL,
        originator_version bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        hash bytea NOT NULL,
        notification_id bigint PRIMARY KEY,
        UNIQUE (originator_id, originator_version)
    ) ON COMMIT DROP
"""
_COPY_EVENTS = "COPY pg_temp.restored_events FROM STDIN (FORMAT BINARY)"
_EVENT_TYPES = ("uuid", "int8", "text", "bytea", "bytea", "int8")
_COPY_SEEDS = "COPY combatlog.dice_seeds (encounter, seed) FROM STDIN (FORMAT BINARY)"
_SEED_TYPES = ("uuid", "bytea")
_RECORD = (
    "INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)"
    " SELECT originator_id, originator_version, topic, state, hash FROM pg_temp.restored_events"
    " ORDER BY notification_id"
)
_ROWS_AT_ONCE = 200
_NO_SEQ = 2**63


class _Event(NamedTuple):
    row: BackupRow
    is_marked: bool
    """It was damaged when the backup was made."""


class _Seed(NamedTuple):
    encounter: UUID
    seed: bytes


def restore_backup(url: str, path: Path, *, damaged: bool = False, progress: Progress = no_progress) -> int:
    """Put a backup into an empty ledger, in one transaction, once the whole file has been checked.

    Events that were damaged when the backup was made are restored as they were, damage and all, and only if the caller
    says so: the copy then shows the same findings as the original, and whoever restores it knows.
    """
    lines = _read(path, progress)
    first = [line for line in (next(lines, None),) if line is not None]  # what is no backup needs no database
    with connected(url) as conn:
        ensure_schema(conn)
        with conn.transaction():
            conn.execute("LOCK TABLE combatlog.ledger_events IN EXCLUSIVE MODE")
            if conn.execute("SELECT FROM combatlog.ledger_events LIMIT 1").fetchone() is not None:
                raise Problem("restore/not-empty", "This ledger has events; a backup is restored into an empty one.")
            return _restore(conn, path, chain(first, lines), damaged)


def _restore(conn: psycopg.Connection[Any], path: Path, lines: Iterator[_Event | _Seed], damaged: bool) -> int:
    conn.execute(_WAITING)
    events, seeds = _Copied(conn, _COPY_EVENTS, _EVENT_TYPES), _Copied(conn, _COPY_SEEDS, _SEED_TYPES)
    hashes = Chain(events.flush, "pg_temp", "restored_events")
    marked, first_marked = 0, None
    for line in lines:
        if isinstance(line, _Seed):
            seeds.add(line)
            continue
        _check_marked(line, hashes.damage(line.row))
        if line.is_marked:
            marked, first_marked = marked + 1, first_marked or line.row
        events.add(line.row)
    if first_marked is not None and not damaged:
        raise _marked_as_damaged(path, marked, first_marked)
    events.flush().execute(_RECORD)
    seeds.flush()
    return events.count


class _Copied:
    """Rows on their way into a table, some at a time."""

    def __init__(self, conn: psycopg.Connection[Any], copy: str, types: tuple[str, ...]) -> None:
        self._conn, self._copy, self._types = conn, copy, types
        self._held: list[tuple[Any, ...]] = []
        self.count = 0

    def add(self, row: tuple[Any, ...]) -> None:
        self._held.append(row)
        self.count += 1
        if len(self._held) >= _ROWS_AT_ONCE:
            self.flush()

    def flush(self) -> psycopg.Connection[Any]:
        """Write what is held, and return the connection: now every row can be found."""
        if self._held:
            with self._conn.cursor() as cursor, cursor.copy(self._copy.encode()) as stream:
                stream.set_types(self._types)
                for row in self._held:
                    stream.write_row(row)
            self._held.clear()
        return self._conn


def _read(path: Path, progress: Progress) -> Iterator[_Event | _Seed]:
    """What a backup has, line by line. The last line is compared with all those before it."""
    digest, events, end, done = sha256(), 0, None, 0
    try:
        size = path.stat().st_size
        with path.open("r", encoding="utf-8") as file:
            for number, text in enumerate(iter(lambda: file.readline(MAX_LINE + 1), ""), start=1):
                if end is not None or len(text) > MAX_LINE:
                    raise _damaged(path, number)
                line, encoded = _parsed(path, number, text), text.encode()
                progress(done := done + len(encoded), size)
                if "sha256" in line:
                    end = line
                    continue
                digest.update(encoded)
                if "seq" in line:
                    events += 1
                    yield _Event(_row(line, events), "damage" in line)
                elif "seed_of" in line:
                    yield _Seed(UUID(line["seed_of"]), b64decode(line["seed"]))
    except OSError as error:
        raise Problem("file/unreadable", f"{path} cannot be read: {error.strerror}.", file=str(path)) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Problem("backup/damaged", f"{path} is not a backup, or is damaged.", file=str(path)) from error
    if end is None or (end.get("events"), end["sha256"]) != (events, digest.hexdigest()):
        raise Problem("backup/incomplete", f"{path} is incomplete: its end does not match the rest.", file=str(path))


def _row(line: Line, place: int) -> BackupRow:
    seq, topic = line["seq"], line["topic"]
    if type(seq) is not int or type(topic) is not str:
        raise TypeError("a field has the wrong type")
    if not 0 < seq < _NO_SEQ:
        raise ValueError("no event has this number")
    return BackupRow(UUID(line["encounter"]), seq, topic, b64decode(line["state"]), bytes.fromhex(line["hash"]), place)


def _check_marked(line: _Event, why: str | None) -> None:
    """An event that is not as recorded has to say so: otherwise it was changed in the backup."""
    if why is not None and not line.is_marked:
        row = line.row
        raise Problem(
            "backup/not-as-recorded",
            f"Event {row.seq} of encounter {row.encounter} in the backup is not as recorded: {why}.",
            encounter=str(row.encounter),
            seq=row.seq,
        )


def _marked_as_damaged(path: Path, marked: int, first: BackupRow) -> Problem:
    return Problem(
        "restore/damaged",
        f"{marked} of the events in {path} were not as recorded when the backup was made; the first is event "
        f"{first.seq} of encounter {first.encounter}.",
        file=str(path),
        found=marked,
        encounter=str(first.encounter),
        seq=first.seq,
    )


def _parsed(path: Path, number: int, text: str) -> Line:
    line = json.loads(text)
    if not isinstance(line, dict) or (number == 1 and line.get("format") != FORMAT):
        raise _damaged(path, number)
    if number == 1 and line["schema"] > SCHEMA_VERSION:
        raise Problem(
            "backup/newer",
            f"{path} is from a ledger with schema version {line['schema']}; upgrade combatlog to read it.",
            file=str(path),
            found=line["schema"],
            needed=SCHEMA_VERSION,
        )
    return line


def _damaged(path: Path, number: int) -> Problem:
    return Problem("backup/damaged", f"Line {number} of {path} is not a line of a backup.", file=str(path), line=number)
