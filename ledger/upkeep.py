"""Maintenance of a ledger: upgrading its tables, making a backup, and restoring one."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any, NamedTuple, cast
from uuid import UUID

import psycopg

from ledger.errors import Problem
from ledger.events import Forked
from ledger.hashing import GENESIS, link
from ledger.recorder import explain, unusable
from ledger.registry import decode
from ledger.roles import renew_roles
from ledger.schema import SCHEMA_VERSION, ensure_schema, installed_version, require_utf8, upgrade

FORMAT = "combatlog backup 1"
MAX_LINE = 32_000_000
"""Characters of one line; the largest event contains a file of 2 MB."""
_EVENTS = (
    "SELECT originator_id, originator_version, topic, state, hash FROM combatlog.ledger_events ORDER BY notification_id"
)
_COPY_EVENTS = "COPY combatlog.ledger_events (originator_id, originator_version, topic, state, hash) FROM STDIN"
_COPY_SEEDS = "COPY combatlog.dice_seeds (encounter, seed) FROM STDIN"
Line = dict[str, Any]


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection with the user's own rights, for what the writer's role may not do."""
    try:
        with psycopg.connect(url, connect_timeout=5, autocommit=True) as conn:
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


# A backup has one JSON document per line. The first says what it is, the last how many events it has, how many of them
# are damaged, and the hash of all lines before it.


class Damage(NamedTuple):
    """An event that is not as it was recorded."""

    encounter: UUID
    seq: int
    why: str


class BackedUp(NamedTuple):
    events: int
    damaged: list[Damage]


def back_up(url: str, path: Path, *, seeds: bool = False) -> BackedUp:
    """Write every event, in the order of commits. The file appears only once it is complete.

    Whoever has the seeds of committed dice knows every face to come, so they are written only on request.
    """
    if os.path.lexists(path):
        raise Problem("backup/exists", f"{path} exists already; a backup never overwrites a file.", file=str(path))
    try:
        with _draft(path) as draft:
            with connected(url) as conn, draft.open("w", encoding="utf-8") as file:
                done = _write(conn, file, seeds)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    except OSError as error:
        raise Problem("file/unwritable", f"{path} cannot be written: {error.strerror}.", file=str(path)) from error
    return done


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A new file beside the path that only its owner can read, under a name that nobody can foresee."""
    handle, name = mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _write(conn: psycopg.Connection[Any], file: IO[str], seeds: bool) -> BackedUp:
    """In one snapshot, with every hash checked. Damage is marked: it is evidence, and the rest has to be kept too."""
    digest, count, heads, damaged = sha256(), 0, _Heads(), list[Damage]()

    def put(line: Line) -> None:
        text = json.dumps(line) + "\n"
        digest.update(text.encode())
        file.write(text)

    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        version = installed_version(conn)
        put({"format": FORMAT, "schema": version})
        for row in conn.execute(_EVENTS):
            why = heads.damage(*row)
            if why is not None:
                damaged.append(Damage(row[0], row[1], why))
            put(_event_line(*row) | ({"damage": why} if why is not None else {}))
            count += 1
        for encounter, seed in conn.execute("SELECT * FROM combatlog.dice_seeds") if seeds and version > 1 else ():
            put({"seed_of": str(encounter), "seed": b64encode(seed).decode()})
    file.write(json.dumps({"events": count, "damaged": len(damaged), "sha256": digest.hexdigest()}) + "\n")
    return BackedUp(count, damaged)


def _event_line(encounter: UUID, seq: int, topic: str, state: bytes, hash_: bytes) -> Line:
    return {
        "encounter": str(encounter),
        "seq": seq,
        "topic": topic,
        "state": b64encode(state).decode(),
        "hash": hash_.hex(),
    }


class _Heads:
    """The hash of every event so far, to check the next one. A fork's first event follows one of its parent."""

    def __init__(self) -> None:
        self._hashes: dict[tuple[UUID, int], bytes] = {}
        self._parents: dict[UUID, UUID] = {}

    def damage(self, encounter: UUID, seq: int, topic: str, state: bytes, hash_: bytes) -> str | None:
        """Why the next event is not as it was recorded; None if it is."""
        self._hashes[encounter, seq] = hash_
        if topic.partition(".")[0] == "forked":
            try:
                self._parents[encounter] = cast(Forked, decode(topic, state)).parent
            except Problem as problem:
                return problem.sentence
        before = self._before(encounter, seq)
        if before is None:
            return f"event {seq - 1}, which it follows, is missing"
        if link(before, encounter, seq, topic, state) != hash_:
            return "it has changed since it was recorded"
        return None

    def _before(self, encounter: UUID, seq: int) -> bytes | None:
        if seq == 1:
            return GENESIS
        origin: UUID | None = encounter
        seen: set[UUID] = set()
        while origin is not None and origin not in seen and (origin, seq - 1) not in self._hashes:
            seen.add(origin)
            origin = self._parents.get(origin)
        return self._hashes.get((origin, seq - 1)) if origin is not None else None


def restore_backup(url: str, path: Path, *, damaged: bool = False) -> int:
    """Put a backup into an empty ledger, in one transaction, once the whole file has been checked.

    Events that were damaged when the backup was made are restored as they were, damage and all, and only if the caller
    says so: the copy then shows the same findings as the original, and whoever restores it knows.
    """
    lines = list(_read(path))
    marked = [line for line in lines if "damage" in line]
    if marked and not damaged:
        raise Problem(
            "restore/damaged",
            f"{len(marked)} of the events in {path} were not as recorded when the backup was made; the first is event "
            f"{marked[0]['seq']} of encounter {marked[0]['encounter']}.",
            file=str(path),
            found=len(marked),
            encounter=marked[0]["encounter"],
            seq=marked[0]["seq"],
        )
    with connected(url) as conn:
        ensure_schema(conn)
        with conn.transaction():
            conn.execute("LOCK TABLE combatlog.ledger_events IN EXCLUSIVE MODE")
            if conn.execute("SELECT FROM combatlog.ledger_events LIMIT 1").fetchone() is not None:
                raise Problem("restore/not-empty", "This ledger has events; a backup is restored into an empty one.")
            return _copy(conn, lines)


def _copy(conn: psycopg.Connection[Any], lines: list[Line]) -> int:
    events = [line for line in lines if "seq" in line]
    with conn.cursor() as cursor, cursor.copy(_COPY_EVENTS) as stream:
        for line in events:
            stream.write_row(_row(line))
    with conn.cursor() as cursor, cursor.copy(_COPY_SEEDS) as stream:
        for line in lines:
            if "seed_of" in line:
                stream.write_row((UUID(line["seed_of"]), b64decode(line["seed"])))
    return len(events)


def _row(line: Line) -> tuple[UUID, int, str, bytes, bytes]:
    state, hash_ = b64decode(line["state"]), bytes.fromhex(line["hash"])
    return UUID(line["encounter"]), line["seq"], line["topic"], state, hash_


def _read(path: Path) -> Iterator[Line]:
    """The lines of a backup, each checked. The last one is compared with all those before it."""
    digest, events, heads, end = sha256(), 0, _Heads(), None
    try:
        with path.open("r", encoding="utf-8") as file:
            for number, text in enumerate(iter(lambda: file.readline(MAX_LINE + 1), ""), start=1):
                if end is not None or len(text) > MAX_LINE:
                    raise _damaged(path, number)
                line = _parsed(path, number, text)
                if "sha256" in line:
                    end = line
                    continue
                digest.update(text.encode())
                if "seq" in line:
                    events += 1
                    _check_marked(line, heads.damage(*_row(line)))
                yield line
    except OSError as error:
        raise Problem("file/unreadable", f"{path} cannot be read: {error.strerror}.", file=str(path)) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise Problem("backup/damaged", f"{path} is not a backup, or is damaged.", file=str(path)) from error
    if end is None or (end.get("events"), end["sha256"]) != (events, digest.hexdigest()):
        raise Problem("backup/incomplete", f"{path} is incomplete: its end does not match the rest.", file=str(path))


def _check_marked(line: Line, why: str | None) -> None:
    """An event that is not as recorded has to say so: otherwise it was changed in the backup."""
    if why is not None and "damage" not in line:
        raise Problem(
            "backup/not-as-recorded",
            f"Event {line['seq']} of encounter {line['encounter']} in the backup is not as recorded: {why}.",
            encounter=line["encounter"],
            seq=line["seq"],
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
