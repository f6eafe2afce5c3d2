"""Fights that were imported under another name: what they were before, and the seals and dice that go with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from ledger.events import EncounterImported, Event, Forked
from ledger.renaming import as_imported, copies, imports_in
from ledger.seal import Seal
from ledger.store import Ledger, Stored


class Copied(NamedTuple):
    event: EncounterImported
    rows: list[Stored]
    """What was copied, with the ids, names and hashes that it had."""

    @property
    def is_whole(self) -> bool:
        """Whether what was copied is what the other ledger had."""
        return bool(self.rows) and self.rows[-1][1].hash.hex() == self.event.head


def copied_from(rows: Sequence[Stored]) -> Iterator[Copied]:
    """What a fight was in each of the ledgers that it went through under other names, the last one first."""
    while imports := imports_in(rows):
        rows = as_imported(rows, imports[0])
        yield Copied(imports[0], list(rows))


def vouches_for(seal: Seal, rows: Sequence[Stored]) -> bool:
    return any(row.seq == seal.seq and row.hash.hex() == seal.head for _, row in rows)


def sealed_here(ledger: Ledger, seal: Seal) -> UUID:
    """The encounter that a seal is about: under the name it was sealed with, or copied under another one."""
    if not vouches_for(seal, ledger.history(seal.encounter)):
        for copy in copies(ledger.recorder).get(seal.encounter, ()):
            if vouches_for(seal, as_imported(ledger.history(copy.encounter), copy)):
                return copy.encounter
    return seal.encounter


def as_rolled(events: Sequence[Event], copied: Sequence[Copied]) -> Sequence[Event]:
    """The events with the ids that they had when they were recorded, from which the faces of committed dice follow."""
    ids = {event.encounter: event.encounter for event in events}
    for copy in copied:
        there = {original.here: original.encounter for original in copy.event.originals}
        ids = {here: there.get(was, was) for here, was in ids.items()}
    return [_with_ids(event, ids) for event in events] if copied else events


def _with_ids(event: Event, ids: dict[UUID, UUID]) -> Event:
    parent = {"parent": ids.get(event.parent, event.parent)} if isinstance(event, Forked) else {}
    return event.model_copy(update={"encounter": ids[event.encounter], **parent})
