"""Events that wait to be recorded together. They wait on disk, so that a file of any size takes little memory."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable, Iterator
from io import SEEK_END
from struct import Struct
from tempfile import TemporaryFile
from uuid import UUID

from ledger.appending import Batch
from ledger.arrays import Blobs, Texts
from ledger.errors import Problem
from ledger.import_lines import Line
from ledger.recorder import Row

MAX_EVENTS = 200_000
MAX_BYTES = 500_000_000
"""Limits of one encounter: reading it takes all of its events into memory."""
_LENGTH = Struct(">Q")
_MOST_AT_ONCE = 5_000
_MOST_BYTES_AT_ONCE = 8_000_000
"""What is recorded by one call of the database: enough to make calls rare, little enough to hold in memory."""


class ImportBuffer:
    """Takes events in any order, and keeps those that follow each other together."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed by close
        self._places: dict[UUID, array[int]] = {}
        """Where the batches of each encounter are in the file, in the order they came."""
        self._sizes: dict[UUID, tuple[int, int]] = {}
        """How many events and bytes each encounter has in the file."""
        self._open: Batch | None = None
        """The batch that is not in the file yet."""
        self._bytes = 0
        self._left_out: frozenset[UUID] = frozenset()
        self.count = 0
        """How many events are to be recorded."""

    def close(self) -> None:
        self._file.close()

    def add(self, line: Line) -> Batch | None:
        """The batch that is complete because this event begins another one, if there is any."""
        complete = None
        encounter, seq, name, state, hashed = line
        batch = self._open
        if batch is None or not self._belongs(batch, encounter, seq):
            complete = self.close_batch()
            batch = self._open = Batch(encounter, seq, Texts(), Blobs(), Blobs())
        batch.names.append(name)
        batch.states.append(state)
        batch.hashes.append(hashed)
        self._bytes += len(state)
        self.count += 1
        return complete

    def _belongs(self, batch: Batch, encounter: UUID, seq: int) -> bool:
        events = len(batch.names)
        if events >= _MOST_AT_ONCE or self._bytes >= _MOST_BYTES_AT_ONCE:
            return False
        return batch.first + events == seq and batch.encounter.int == encounter.int

    def close_batch(self) -> Batch | None:
        """Whatever comes next begins another batch."""
        closed = self._open
        if closed is None:
            return None
        encounter, first, names, states, hashes = closed
        self._check_size(encounter, len(names))
        self._places.setdefault(encounter, array("Q")).append(self._file.seek(0, SEEK_END))
        packed = marshal.dumps((encounter.bytes, first, list(names), list(states), list(hashes)))
        self._file.writelines((_LENGTH.pack(len(packed)), packed))
        self._open, self._bytes = None, 0
        return closed

    def _check_size(self, encounter: UUID, added: int) -> None:
        events, size = self._sizes.get(encounter, (0, 0))
        events, size = self._sizes[encounter] = events + added, size + self._bytes
        if size > MAX_BYTES or events > MAX_EVENTS:
            raise Problem(
                "import/too-large",
                f"Encounter {encounter} has more than {MAX_EVENTS} events or {MAX_BYTES} bytes; no fight is that long.",
                encounter=str(encounter),
                most_events=MAX_EVENTS,
                most_bytes=MAX_BYTES,
            )

    def size(self, encounter: UUID) -> int:
        """How many events of an encounter came."""
        self.close_batch()
        return self._sizes.get(encounter, (0, 0))[0]

    def rows_to_record(self, encounter: UUID) -> Iterator[Row]:
        return iter(()) if encounter in self._left_out else self.rows_of(encounter)

    def leave_out(self, encounters: Iterable[UUID]) -> None:
        """Record nothing of these encounters. Nothing more may be added of them."""
        self.close_batch()
        self._left_out = frozenset(encounters)
        self.count -= sum(self._sizes[encounter][0] for encounter in self._left_out if encounter in self._sizes)

    def rows_of(self, encounter: UUID) -> Iterator[Row]:
        """In the order they came, also if they are left out."""
        self.close_batch()
        for place in self._places.get(encounter, ()):
            self._file.seek(place)
            batch = self._next()
            columns = zip(batch.names, batch.states, batch.hashes, strict=True)
            for seq, (name, state, hashed) in enumerate(columns, batch.first):
                yield Row(seq, name, state, hashed)

    def batches(self) -> Iterator[Batch]:
        """Everything that is not left out, in the order it came. Nothing can be added any more."""
        self.close_batch()
        self._file.seek(0)
        for _ in range(sum(map(len, self._places.values()))):
            batch = self._next()
            if batch.encounter not in self._left_out:
                yield batch

    def _next(self) -> Batch:
        (length,) = _LENGTH.unpack(self._file.read(_LENGTH.size))
        encounter, first, names, states, hashes = marshal.loads(self._file.read(length))  # noqa: S302 - our own file
        return Batch(UUID(bytes=encounter), first, Texts(names), Blobs(states), Blobs(hashes))
