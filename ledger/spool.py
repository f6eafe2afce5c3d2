"""Events that wait to be recorded together: on disk, so that a file of any size takes little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from struct import Struct
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self
from uuid import UUID

from ledger.recorder import ChainedEvent, Row
from ledger.store import Ledger

_HEAD = Struct(">16sQ32sHI")
"""Encounter, seq, hash, and the lengths of the name and the state that follow."""
_BATCH_ROWS = 2_000
_BATCH_BYTES = 8_000_000


class Spool:
    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._places: dict[UUID, array[int]] = {}
        """Where the events of each encounter are, in the order in which they came."""
        self._end = 0
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def encounters(self) -> list[UUID]:
        """Those that have events here, the one that came first first."""
        return list(self._places)

    def add(self, row: ChainedEvent, encounter: UUID) -> None:
        name = row.topic.encode()
        head = _HEAD.pack(encounter.bytes, row.originator_version, row.hash, len(name), len(row.state))
        self._file.seek(self._end)
        self._file.writelines((head, name, row.state))
        self._places.setdefault(encounter, array("Q")).append(self._end)
        self._end += len(head) + len(name) + len(row.state)
        self.count += 1

    def rows_of(self, encounter: UUID) -> Iterator[Row]:
        for place in self._places.get(encounter, ()):
            self._file.seek(place)
            yield self._next()[1]

    def _next(self) -> tuple[UUID, Row]:
        encounter, seq, hashed, name, state = _HEAD.unpack(self._file.read(_HEAD.size))
        topic = self._file.read(name).decode()
        return UUID(bytes=encounter), Row(seq, topic, self._file.read(state), hashed)

    def batches(self) -> Iterator[list[ChainedEvent]]:
        """All events in the order in which they came, some at a time."""
        self._file.seek(0)
        batch: list[ChainedEvent] = []
        size = 0
        for _ in range(self.count):
            encounter, row = self._next()
            batch.append(ChainedEvent(encounter, row.seq, row.name, row.state, row.hash))
            size += len(row.state)
            if len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch


def record(ledger: Ledger, spool: Spool) -> None:
    """Everything that waits, in one transaction."""
    recorder = ledger.recorder
    with recorder._connection() as conn, conn.transaction():
        for batch in spool.batches():
            recorder._append(conn, batch)
