"""Stored states of encounters: a cache. Each belongs to an event by its hash; without one, the events are folded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from psycopg.rows import tuple_row

from ledger.recorder import LedgerRecorder


class Snapshot(NamedTuple):
    seq: int
    hash: bytes
    state: bytes


def load(recorder: LedgerRecorder, encounter: UUID, fold: str, *, older: int = 0) -> Snapshot | None:
    """The newest snapshot whose event is still what it was, or one of those before it."""
    with recorder.hold() as conn, conn.cursor(binary=True, row_factory=tuple_row) as cursor:
        cursor.execute(
            "SELECT s.seq, s.hash, s.state FROM combatlog.snapshots s JOIN combatlog.ledger_events e"
            " ON e.originator_id = s.encounter AND e.originator_version = s.seq AND e.hash = s.hash"
            " WHERE s.encounter = %s AND s.fold = %s ORDER BY s.seq DESC LIMIT 1 OFFSET %s",
            (encounter, fold, older),
        )
        found = cursor.fetchone()
    return Snapshot._make(found) if found is not None else None


def has_command(recorder: LedgerRecorder, encounter: UUID, id: bytes) -> bool:
    """Whether a command with this id, or one whose id begins like this, was carried out before a snapshot was made."""
    with recorder.hold() as conn:
        query = "SELECT FROM combatlog.snapshots WHERE encounter = %s AND position(%s IN commands) > 0 LIMIT 1"
        return conn.execute(query, (encounter, id)).fetchone() is not None


def save(
    recorder: LedgerRecorder,
    encounter: UUID,
    fold: str,
    snapshot: Snapshot,
    commands: Iterable[UUID],
    *,
    since: Snapshot | None,
) -> None:
    """Store a snapshot and remove all but the one before it.

    `commands` are those since another snapshot, or all. If that one is gone, nothing is stored: it is only a cache.
    """
    known = b"".join(command.bytes for command in commands)
    values = (encounter, snapshot.seq, snapshot.hash, fold, snapshot.state)
    with recorder.hold() as conn, conn.transaction():
        if since is None:
            conn.execute(_SAVE, (*values, known))
        else:
            conn.execute(_SAVE_AFTER, (*values, known, encounter, since.seq, since.hash))
        conn.execute(_KEEP_TWO, {"encounter": encounter, "fold": fold, "seq": snapshot.seq})


_SAVE = (
    "INSERT INTO combatlog.snapshots (encounter, seq, hash, fold, state, commands)"
    " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (encounter, seq) DO NOTHING"
)
_SAVE_AFTER = (
    "INSERT INTO combatlog.snapshots (encounter, seq, hash, fold, state, commands)"
    " SELECT %s, %s, %s, %s, %s, commands || %s FROM combatlog.snapshots"
    " WHERE encounter = %s AND seq = %s AND hash = %s ON CONFLICT (encounter, seq) DO NOTHING"
)
_KEEP_TWO = (
    "DELETE FROM combatlog.snapshots WHERE encounter = %(encounter)s AND (fold <> %(fold)s OR seq < "
    "(SELECT max(seq) FROM combatlog.snapshots WHERE encounter = %(encounter)s AND seq < %(seq)s))"
)
