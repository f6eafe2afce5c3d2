"""Checking the hashes of events in the order of a backup, in the same little memory however many there are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, cast
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Problem
from ledger.events import Forked
from ledger.hashing import GENESIS, link
from ledger.registry import decode

_HASH = SQL("SELECT hash FROM {} WHERE originator_id = %s AND originator_version = %s AND notification_id < %s")
_FIRST = SQL(
    "SELECT topic, state FROM {} WHERE originator_id = %s AND notification_id < %s ORDER BY originator_version LIMIT 1"
)
_REMEMBERED = 10_000
_DEEPEST = 1_000
"""How many forks of forks are followed; a ledger that was tampered with may have them in a circle."""


class BackupRow(NamedTuple):
    """An event and its place in the order of the backup."""

    encounter: UUID
    seq: int
    topic: str
    state: bytes
    hash: bytes
    place: int


class Chain:
    """Tells of each event in turn whether it is as it was recorded.

    The last hashes of the encounters are remembered. Whatever else an event may follow, such as what a fork shares, is
    looked up in a table with the columns of the ledger that has all events before it.
    """

    def __init__(self, connection: Callable[[], psycopg.Connection[Any]], *table: str) -> None:
        """`connection` gives one that can be asked right now."""
        self._connection = connection
        self._table = Identifier(*table)
        self._last: OrderedDict[UUID, tuple[int, bytes]] = OrderedDict()

    def damage(self, row: BackupRow) -> str | None:
        """Why the next event is not as it was recorded; None if it is."""
        try:
            before = self._before(row)
        except Problem as problem:
            return problem.sentence
        finally:
            self._remember(row)
        if before is None:
            return f"event {row.seq - 1}, which it follows, is missing"
        if link(before, row.encounter, row.seq, row.topic, row.state) != row.hash:
            return "it has changed since it was recorded"
        return None

    def _remember(self, row: BackupRow) -> None:
        self._last[row.encounter] = row.seq, row.hash
        self._last.move_to_end(row.encounter)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)

    def _before(self, row: BackupRow) -> bytes | None:
        parent = _parent(row.topic, row.state)
        if row.seq == 1:
            return GENESIS
        return self._shared(row, parent) if parent is not None else self._hash(row.encounter, row.seq - 1, row.place)

    def _shared(self, fork: BackupRow, parent: UUID) -> bytes | None:
        """The hash of the last event that a fork shares, which is stored with the encounter it was played in."""
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
        return _parent(*found) if found else None

    def _look_up(self, query: SQL, *values: Any) -> tuple[Any, ...] | None:
        with self._connection().cursor(binary=True, row_factory=tuple_row) as cursor:
            return cursor.execute(query.format(self._table), values).fetchone()


def _parent(topic: str, state: bytes) -> UUID | None:
    return cast(Forked, decode(topic, state)).parent if topic.partition(".")[0] == "forked" else None
