"""Back up and restore a ledger, and upgrade its tables.

A backup is checked line by line while it is copied into a temporary table, and recorded once all of it is valid. The
hashes are checked in the order of the backup, in constant memory.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any, NamedTuple, cast
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.events import Forked
from ledger.registry import GENESIS, chained_hash, decode
from ledger.store.connections import connect, explain, unusable
from ledger.store.schema import (
    SCHEMA_VERSION,
    ensure_schema,
    installed_version,
    is_distributed,
    renew_roles,
    require_utf8,
    upgrade,
)

_HASH = SQL("SELECT hash FROM {} WHERE originator_id = %s AND originator_version = %s AND notification_id < %s")
_FIRST = SQL(
    "SELECT topic, state FROM {} WHERE originator_id = %s AND notification_id < %s ORDER BY originator_version LIMIT 1"
)
_REMEMBERED = 10_000
_DEEPEST = 1_000
"""How many nested forks are followed; in a ledger that was tampered with, forks may form a cycle."""


class BackupRow(NamedTuple):
    """An event and its place in the order of the backup."""

    encounter: UUID
    seq: int
    topic: str
    state: bytes
    hash: bytes
    place: int


class HashChainCheck:
    """Checks events one by one for changes since they were recorded.

    The latest hash of each recent encounter is remembered. Other hashes, such as those in a fork's shared past, are
    looked up in a table that has the ledger's columns and all earlier events.
    """

    def __init__(self, connection: Callable[[], psycopg.Connection[Any]], *table: str) -> None:
        """`connection` returns a connection on which the table can be queried now."""
        self._connection = connection
        self._table = Identifier(*table)
        self._last: OrderedDict[UUID, tuple[int, bytes]] = OrderedDict()

    def damage(self, row: BackupRow) -> str | None:
        """What is wrong with the next event; None if it is as it was recorded."""
        try:
            before = self._before(row)
        except Problem as problem:
            return problem.sentence
        finally:
            self._remember(row)
        if before is None:
            return f"event {row.seq - 1}, which it follows, is missing"
        if chained_hash(before, row.encounter, row.seq, row.topic, row.state) != row.hash:
            return "it has changed since it was recorded"
        return None

    def _remember(self, row: BackupRow) -> None:
        self._last[row.encounter] = row.seq, row.hash
        self._last.move_to_end(row.encounter)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)

    def _before(self, row: BackupRow) -> bytes | None:
        parent = _parent_in(row.topic, row.state)
        if row.seq == 1:
            return GENESIS
        return self._shared(row, parent) if parent is not None else self._hash(row.encounter, row.seq - 1, row.place)

    def _shared(self, fork: BackupRow, parent: UUID) -> bytes | None:
        """The hash of the last event that a fork shares. It is stored with the encounter in which it was played."""
        origin: UUID | None = parent
        for _ in range(_DEEPEST):
            if origin is None:
                return None
            if (found := self._hash(origin, fork.seq - 1, fork.place)) is not None:
                return found
            origin = self._parent_of(origin, fork.place)
        return None

    def _hash(self, encounter: UUID, seq: int, place: int) -> bytes | None:
        last, hashed = self._last.get(encounter, (0, b""))
        if last == seq:
            return hashed
        found = self._look_up(_HASH, encounter, seq, place)
        return found[0] if found else None

    def _parent_of(self, encounter: UUID, place: int) -> UUID | None:
        found = self._look_up(_FIRST, encounter, place)
        return _parent_in(*found) if found else None

    def _look_up(self, query: SQL, *values: Any) -> tuple[Any, ...] | None:
        with self._connection().cursor(binary=True, row_factory=tuple_row) as cursor:
            return cursor.execute(query.format(self._table), values).fetchone()


def _parent_in(topic: str, state: bytes) -> UUID | None:
    return cast(Forked, decode(topic, state)).parent if topic.partition(".")[0] == "forked" else None


BACKUP_FORMAT = "combatlog backup 1"
_EVENTS = (
    "SELECT originator_id, originator_version, topic, state, hash, notification_id"
    " FROM combatlog.ledger_events ORDER BY notification_id"
)
_AT_A_TIME = 200
BackupLine = dict[str, Any]
"""A line of a backup. The first line has the format; the last one has the number of events and of damaged events, and
the hash of all previous lines.
"""
BackupProgress = Callable[[int, int], None]
"""Called with the amount that is done and the total."""


def no_progress(done: int, total: int) -> None:
    """Report nothing."""


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection with the user's own rights, for operations that the writer's role may not perform."""
    try:
        with connect(url) as conn:
            require_utf8(conn)
            yield conn
    except psycopg.Error as error:
        raise explain(error) or unusable(error) from error


def upgrade_ledger(url: str) -> tuple[int, int]:
    """Run the missing schema steps, and return the versions before and after."""
    with connected(url) as conn:
        before = installed_version(conn)
        if before > SCHEMA_VERSION:
            ensure_schema(conn)
        after = upgrade(conn)
        if after != before:
            renew_roles(conn)
        return before, after


class BackupDamage(NamedTuple):
    """An event that is not as it was recorded."""

    encounter: UUID
    seq: int
    why: str


class BackupResult(NamedTuple):
    events: int
    damaged: list[BackupDamage]


def back_up(url: str, path: Path, *, seeds: bool = False, progress: BackupProgress = no_progress) -> BackupResult:
    """Write every event in commit order. The file appears only once it is complete.

    The seeds of committed dice reveal every future face, so they are written only on request.
    """
    if os.path.lexists(path):
        raise Problem("backup/exists", f"{path} already exists; a backup never overwrites a file.", file=str(path))
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
    """Refuse a ledger with several nodes: a restore needs each event to come after those that it refers to."""
    if is_distributed(conn):
        raise Problem(
            "backup/several-nodes",
            "Several nodes write this ledger, so its events have no common order; back up each node as a server.",
        )


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A new file next to the path, readable only by its owner, with an unpredictable name."""
    handle, name = mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _write(conn: psycopg.Connection[Any], file: IO[str], seeds: bool, progress: BackupProgress) -> BackupResult:
    """Write one snapshot of the ledger and check every hash. Damaged events are kept and marked: they are evidence."""
    digest, count, damaged = sha256(), 0, list[BackupDamage]()

    def put(line: BackupLine) -> None:
        text = json.dumps(line) + "\n"
        digest.update(text.encode())
        file.write(text)

    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        version, total = installed_version(conn), _count(conn)
        put({"format": BACKUP_FORMAT, "schema": version})
        chain = HashChainCheck(lambda: conn, "combatlog", "ledger_events")
        for count, row in enumerate(_rows(conn), start=1):
            why = chain.damage(row)
            if why is not None:
                damaged.append(BackupDamage(row.encounter, row.seq, why))
            put(_event_line(row) | ({"damage": why} if why is not None else {}))
            progress(count, total)
        for encounter, seed in conn.execute("SELECT * FROM combatlog.dice_seeds") if seeds and version > 1 else ():
            put({"seed_of": str(encounter), "seed": b64encode(seed).decode()})
    file.write(json.dumps({"events": count, "damaged": len(damaged), "sha256": digest.hexdigest()}) + "\n")
    return BackupResult(count, damaged)


def _count(conn: psycopg.Connection[Any]) -> int:
    row = conn.execute("SELECT count(*) FROM combatlog.ledger_events").fetchone()
    return int(row[0]) if row else 0


def _rows(conn: psycopg.Connection[Any]) -> Iterator[BackupRow]:
    """Every event in commit order, from a server-side cursor, so that only a few are in memory at a time."""
    with conn.cursor("backup", binary=True) as cursor:
        cursor.itersize = _AT_A_TIME
        cursor.execute(_EVENTS)
        yield from map(BackupRow._make, cursor)


def _event_line(row: BackupRow) -> BackupLine:
    return {
        "encounter": str(row.encounter),
        "seq": row.seq,
        "topic": row.topic,
        "state": b64encode(row.state).decode(),
        "hash": row.hash.hex(),
    }


MAX_LINE = 32_000_000
"""The most characters in a line; the largest event contains a file of 2 MB."""
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
    """Whether it was already damaged when the backup was made."""


class _Seed(NamedTuple):
    encounter: UUID
    seed: bytes


def restore_backup(url: str, path: Path, *, damaged: bool = False, progress: BackupProgress = no_progress) -> int:
    """Restore a backup into an empty ledger, in one transaction, after checking the whole file.

    Events that were damaged when the backup was made are restored unchanged, but only if the caller asks for it
    (`damaged`). The copy then shows the same findings as the original.
    """
    lines = _read(path, progress)
    first = [line for line in (next(lines, None),) if line is not None]  # refuse a bad file before connecting
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
    hashes = HashChainCheck(events.flush, "pg_temp", "restored_events")
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
    """Copies rows into a table in batches."""

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
        """Write the pending rows, and return the connection, on which every row is now visible."""
        if self._held:
            with self._conn.cursor() as cursor, cursor.copy(self._copy.encode()) as stream:
                stream.set_types(self._types)
                for row in self._held:
                    stream.write_row(row)
            self._held.clear()
        return self._conn


def _read(path: Path, progress: BackupProgress) -> Iterator[_Event | _Seed]:
    """The events and seeds of a backup, line by line. The last line is checked against all previous ones."""
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


def _row(line: BackupLine, place: int) -> BackupRow:
    seq, topic = line["seq"], line["topic"]
    if type(seq) is not int or type(topic) is not str:
        raise TypeError("a field has the wrong type")
    if not 0 < seq < _NO_SEQ:
        raise ValueError("no event has this number")
    return BackupRow(UUID(line["encounter"]), seq, topic, b64decode(line["state"]), bytes.fromhex(line["hash"]), place)


def _check_marked(line: _Event, why: str | None) -> None:
    """Refuse a changed event that is not marked as damaged: it was changed in the backup."""
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


def _parsed(path: Path, number: int, text: str) -> BackupLine:
    line = json.loads(text)
    if not isinstance(line, dict) or (number == 1 and line.get("format") != BACKUP_FORMAT):
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
