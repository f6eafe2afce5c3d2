"""Events that wait to be recorded together. They wait on disk, so that a file of any size takes little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from struct import Struct
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self
from uuid import UUID

from ledger.errors import Problem
from ledger.recorder import ChainedEvent, Row
from ledger.store import Ledger

_HEAD = Struct(">16sQ32sHI")
"""Encounter, seq, hash, and the lengths of the name and the state that follow."""
MAX_EVENTS = 200_000
MAX_BYTES = 500_000_000
"""Limits of one encounter: reading it takes all of its events into memory."""


class ImportBuffer:
    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._places: dict[UUID, array[int]] = {}
        """Where the events of each encounter are in the file, in the order they came."""
        self._sizes: dict[UUID, int] = {}
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
        """Those that have events here, in the order they came."""
        return list(self._places)

    def add(self, row: ChainedEvent, encounter: UUID) -> None:
        size = self._sizes[encounter] = self._sizes.get(encounter, 0) + len(row.state)
        if size > MAX_BYTES or len(self._places.get(encounter, ())) >= MAX_EVENTS:
            raise Problem(
                "import/too-large",
                f"Encounter {encounter} has more than {MAX_EVENTS} events or {MAX_BYTES} bytes; no fight is that long.",
                encounter=str(encounter),
                most_events=MAX_EVENTS,
                most_bytes=MAX_BYTES,
            )
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

    def all_events(self) -> Iterator[ChainedEvent]:
        """In the order they came."""
        self._file.seek(0)
        for _ in range(self.count):
            encounter, row = self._next()
            yield ChainedEvent(encounter, row.seq, row.name, row.state, row.hash)


def record(ledger: Ledger, buffer: ImportBuffer) -> None:
    """Record everything that waits, in one transaction; the recorder takes one encounter at a time."""
    ledger.recorder.insert_events(buffer.all_events())
