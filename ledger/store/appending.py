"""Append events: one database call for the events of a command, and several pipelined calls for an import.

The events are sent as arrays in PostgreSQL's binary format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from struct import Struct
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format
from psycopg.rows import tuple_row

from ledger.errors import DatabaseProblem, NotRecorded, first_line
from ledger.store.connections import driver_error

_HEADER = Struct(">iiIii")  # dimensions, has nulls, type of the elements, their count, index of the first
_LENGTH = Struct(">i")


class BlobArray(list[bytes]):
    """PostgreSQL's bytea[]."""


class TextArray(list[str]):
    """PostgreSQL's text[]."""


class _ArrayDumper(Dumper):
    format = Format.BINARY
    element: ClassVar[int]

    def packed(self, elements: list[bytes]) -> Buffer:
        parts = [_HEADER.pack(1, 0, self.element, len(elements), 1)]
        for element in elements:
            parts += (_LENGTH.pack(len(element)), element)
        return b"".join(parts)


class _BlobArrayDumper(_ArrayDumper):
    element = psycopg.adapters.types["bytea"].oid
    oid = psycopg.adapters.types["bytea"].array_oid

    def dump(self, obj: BlobArray) -> Buffer:
        return self.packed(obj)


class _TextArrayDumper(_ArrayDumper):
    element = psycopg.adapters.types["text"].oid
    oid = psycopg.adapters.types["text"].array_oid

    def dump(self, obj: TextArray) -> Buffer:
        return self.packed([text.encode() for text in obj])


psycopg.adapters.register_dumper(BlobArray, _BlobArrayDumper)
psycopg.adapters.register_dumper(TextArray, _TextArrayDumper)


_HASH_OF_LAST = "SELECT hash FROM combatlog.ledger_events WHERE originator_id = %b AND originator_version = %b::bigint"
_HASH_ON_CLUSTER = "SELECT combatlog.recorded_hash(%b, %b::bigint)"
_APPEND = "SELECT combatlog.append_events(%b, %b::bigint, %b, %b, %b)"
_APPEND_WITH_SEED = "SELECT combatlog.append_with_seed(%b, %b::bigint, %b, %b, %b, %b)"
_MOST_UNDERWAY = 8
"""How many sent batches may be unconfirmed."""
_CANNOT_HOLD = {"22", "54"}
"""SQLSTATE classes of data that the database cannot hold: invalid data, and data beyond the server's limits."""


@dataclass(frozen=True)
class ChainedEvent(StoredEvent):
    """A stored event and its link in the hash chain."""

    hash: bytes


class EventBatch(NamedTuple):
    """Consecutive events of one encounter, as columns."""

    encounter: UUID
    first: int
    names: TextArray
    states: BlobArray
    hashes: BlobArray


class SentBatch(NamedTuple):
    """A batch that the server has not confirmed yet."""

    encounter: UUID
    first: int
    last_hash: bytes
    appending: psycopg.Cursor[Any]
    reading: psycopg.Cursor[Any]


def append(conn: psycopg.Connection[Any], batch: EventBatch, seed: bytes | None = None, *, on_cluster: bool) -> None:
    """Append a batch and read its last event back: the database's owner can replace the function or the triggers."""
    try:
        if seed is None:
            conn.execute(_APPEND, batch, prepare=True)
        else:
            conn.execute(_APPEND_WITH_SEED, (*batch, seed))
    except psycopg.Error as error:
        if (refusal := _refusal(error, batch.encounter, batch.first)) is None:
            raise
        raise refusal from error
    if batch.hashes and _read_back(conn, batch, on_cluster).fetchone() != (batch.hashes[-1],):
        raise NotRecorded


def append_all(conn: psycopg.Connection[Any], batches: Iterable[EventBatch], *, on_cluster: bool) -> None:
    """Append batches without waiting for each answer: while the server stores one, the next can be prepared."""
    with conn.pipeline(), _underway() as underway:
        for batch in batches:
            appending = conn.execute(_APPEND, batch, prepare=True)
            reading = _read_back(conn, batch, on_cluster)
            underway.append(SentBatch(batch.encounter, batch.first, batch.hashes[-1], appending, reading))
            if len(underway) > _MOST_UNDERWAY:
                _confirm(underway)
        _confirm(underway)


def _read_back(conn: psycopg.Connection[Any], batch: EventBatch, on_cluster: bool) -> psycopg.Cursor[tuple[Any, ...]]:
    query = _HASH_ON_CLUSTER if on_cluster else _HASH_OF_LAST
    cursor = conn.cursor(binary=True, row_factory=tuple_row)
    return cursor.execute(query, (batch.encounter, batch.first + len(batch.names) - 1), prepare=True)


def _confirm(underway: list[SentBatch]) -> None:
    """Wait until the server has confirmed every batch that was sent."""
    for sent in underway:
        if sent.reading.fetchone() != (sent.last_hash,):
            raise NotRecorded
    underway.clear()


@contextmanager
def _underway() -> Iterator[list[SentBatch]]:
    """The unconfirmed batches. An error in the block may come from a batch that was refused, and is then explained."""
    sent: list[SentBatch] = []
    try:
        yield sent
    except Exception as error:
        cause = driver_error(error)
        refused = next((one for one in sent if one.appending.pgresult is None), None)
        if cause is None or refused is None:
            raise
        raise (_refusal(cause, refused.encounter, refused.first) or cause) from error


def batches_of(events: Iterable[ChainedEvent]) -> Iterator[EventBatch]:
    """Group consecutive events of the same encounter into batches."""
    for encounter, group in groupby(events, key=lambda event: event.originator_id):
        run = list(group)
        first = run[0].originator_version
        if [event.originator_version for event in run] != list(range(first, first + len(run))):
            raise ValueError(f"the events of {encounter} do not follow each other")
        yield EventBatch(
            UUID(str(encounter)),
            first,
            TextArray(event.topic for event in run),
            BlobArray(event.state for event in run),
            BlobArray(event.hash for event in run),
        )


def _refusal(error: psycopg.Error, encounter: UUID, first: int) -> DatabaseProblem | None:
    """The problem to report if the database refused the events; None for any other error."""
    state = error.sqlstate or ""
    if state == "CL002":
        return NotRecorded()
    if state != "CL001" and state[:2] not in _CANNOT_HOLD:
        return None
    detail = error.diag.message_detail if state == "CL001" else None
    seq = int(detail) if detail else first
    why = error.diag.message_primary if detail else f"the database cannot hold its content ({first_line(error)})"
    return DatabaseProblem(
        "ledger/not-an-event",
        f"Event {seq} cannot be recorded: {why}. Nothing was recorded.",
        encounter=str(encounter),
        seq=seq,
        reason=why,
    )
