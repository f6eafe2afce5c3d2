"""Which rolls are the same roll: a correction that resolves a command again carries its rolls over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from ledger.events import Declared, Event, Face, Rolled


class Identity(NamedTuple):
    """What a roll was made for. It stays the same however often a correction resolves the command again."""

    command: UUID | None
    purpose: str
    roller: str


class Shown(NamedTuple):
    """What a roll was on record, and by which number."""

    encounter: UUID
    drawn: int | None
    faces: tuple[Face, ...]


class RollHistory:
    def __init__(self, events: Iterable[Event]) -> None:
        self._declared: dict[int, Declared] = {}
        self._first: defaultdict[Identity, dict[Shown, int]] = defaultdict(dict)
        for event in events:
            if isinstance(event, Declared):
                self._declared[event.seq] = event
            elif isinstance(event, Rolled):
                shown = Shown(event.encounter, event.drawn, event.faces)
                self._first[self.identity(event)].setdefault(shown, event.declaration)

    def identity(self, roll: Rolled) -> Identity:
        declared = self._declared.get(roll.declaration)
        return Identity(declared.command if declared is not None else None, roll.purpose, roll.roller)

    def correction(self, roll: Rolled) -> int | None:
        """The correction that its declaration was made again for, if one was."""
        declared = self._declared.get(roll.declaration)
        return declared.cause if declared is not None else None

    def carried(self, roll: Rolled) -> Sequence[Shown]:
        """What the same roll was before the correction that resolved it again."""
        correction = self.correction(roll)
        if correction is None:
            return ()
        return [shown for shown, first in self._first[self.identity(roll)].items() if first < correction]
