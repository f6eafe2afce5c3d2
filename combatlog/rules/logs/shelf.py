"""Where imported fights are kept: in the ledger or, for a dry run, in a file that is thrown away."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import Protocol
from uuid import UUID

from ledger.appending import Batch
from ledger.recorder import Row
from ledger.store import Ledger


class Shelf(Protocol):
    def rows(self, encounter: UUID) -> Sequence[Row]:
        """Every event of a fight."""

    def add(self, batches: Sequence[Batch]) -> None:
        """Keep these events, all or none."""

    def close(self) -> None: ...


class LedgerShelf:
    def __init__(self, ledger: Ledger) -> None:
        self._recorder = ledger.recorder

    def rows(self, encounter: UUID) -> Sequence[Row]:
        return self._recorder.select_rows(encounter)

    def add(self, batches: Sequence[Batch]) -> None:
        self._recorder.insert_batches(batches)

    def close(self) -> None:
        """Nothing is left open."""


class DryShelf(LedgerShelf):
    """Shows what the ledger has, and keeps what is added to itself."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._file = TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._places: dict[UUID, list[int]] = {}

    def rows(self, encounter: UUID) -> Sequence[Row]:
        found = list(super().rows(encounter))
        for place in self._places.get(encounter, ()):
            self._file.seek(place)
            first, *columns = marshal.load(self._file)  # noqa: S302 - our own file
            found += [Row(seq, *row) for seq, row in enumerate(zip(*columns, strict=True), first)]
        return found

    def add(self, batches: Sequence[Batch]) -> None:
        for encounter, first, names, states, hashes in batches:
            self._places.setdefault(encounter, []).append(self._file.seek(0, 2))
            marshal.dump((first, list(names), list(states), list(hashes)), self._file)

    def close(self) -> None:
        self._file.close()
