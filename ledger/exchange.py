"""Fights on their way from one ledger to another: a line of JSON for each event, with its hash.

The state of an event is kept as the text it is stored as, so that the hash can be checked to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from uuid import UUID

from ledger.errors import Problem, unknown_encounter
from ledger.events import EncounterOpened, Event, Forked
from ledger.hashing import GENESIS, link
from ledger.recorder import ChainedEvent, Row
from ledger.registry import decode
from ledger.store import Ledger, encounter_id


class Imported(NamedTuple):
    encounters: int
    """How many encounters the file has."""
    events: int
    """How many events were new."""
    known: int
    """How many were here already."""


def export_lines(ledger: Ledger, references: Iterable[str]) -> Iterator[str]:
    """The events of encounters and of the pasts that they share, each once, a past before what follows from it."""
    written: set[tuple[UUID, int]] = set()
    for reference in references:
        history = ledger.history(encounter_id(reference))
        if not history:
            raise unknown_encounter(reference)
        for encounter, row in history:
            if (encounter, row.seq) not in written:
                written.add((encounter, row.seq))
                yield _line(encounter, row)


def _line(encounter: UUID, row: Row) -> str:
    fields = {"encounter": str(encounter), "seq": row.seq, "name": row.name}
    return json.dumps({**fields, "state": row.state.decode(), "hash": row.hash.hex()}, ensure_ascii=False)


def import_lines(ledger: Ledger, lines: Iterable[str]) -> Imported:
    """Record what a file has and this ledger has not: all of it, or nothing when anything is wrong."""
    arrivals = _Arrivals(ledger)
    for number, line in enumerate(lines, 1):
        if line.strip():
            arrivals.add(number, _read(number, line))
    if arrivals.new:
        ledger.recorder.insert_events(arrivals.new)
    return Imported(len(arrivals.hashes), len(arrivals.new), arrivals.known)


def _read(number: int, line: str) -> ChainedEvent:
    try:
        data = json.loads(line)
        encounter, hashed = UUID(data["encounter"]), bytes.fromhex(data["hash"])
        return ChainedEvent(encounter, int(data["seq"]), str(data["name"]), str(data["state"]).encode(), hashed)
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(
            "import/unreadable",
            f"Line {number} is no event of an export; make the file with `combatlog export --format jsonl`.",
        ) from error


class _Arrivals:
    """The events of a file, checked one after the other."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._here: dict[UUID, dict[int, bytes]] = {}
        self._forks: dict[UUID, Forked] = {}
        self.hashes: dict[UUID, dict[int, bytes]] = {}
        """By encounter and seq, what the file has had so far."""
        self.new: list[ChainedEvent] = []
        self.known = 0

    def add(self, number: int, row: ChainedEvent) -> None:
        event = decode(row.topic, row.state)
        encounter, seq = event.encounter, event.seq
        if (row.originator_id, row.originator_version) != (encounter, seq) or not _is_named_rightly(event):
            raise _damaged(number, "it is not the event that it says it is")
        if link(self._head_before(number, event), encounter, seq, row.topic, row.state) != row.hash:
            raise _damaged(number, "its hash does not fit its content and what comes before it")
        self._settle(event, row)

    def _settle(self, event: Event, row: ChainedEvent) -> None:
        """Known, new, or in the way of what is here."""
        encounter, seq = event.encounter, event.seq
        if isinstance(event, Forked):
            self._forks[encounter] = event
        self.hashes.setdefault(encounter, {})[seq] = row.hash
        here = self._rows_here(encounter)
        if here.get(seq) == row.hash:
            self.known += 1
        elif seq in here:
            raise Problem(
                "import/differs",
                f"Event {seq} of {encounter} is here already and is another one; the two ledgers have gone "
                "different ways, so nothing was imported.",
            )
        else:
            self.new.append(row)

    def _head_before(self, number: int, event: Event) -> bytes:
        if isinstance(event, EncounterOpened) and event.seq == 1:
            return GENESIS
        before = self._hash_of(event.parent if isinstance(event, Forked) else event.encounter, event.seq - 1)
        if before is None:
            raise _damaged(number, f"event {event.seq - 1}, which it follows, is neither in the file nor here")
        return before

    def _hash_of(self, encounter: UUID, seq: int) -> bytes | None:
        """The hash of an event of an encounter; one of a shared past is stored where that was played."""
        own = self.hashes.get(encounter, {}).get(seq) or self._rows_here(encounter).get(seq)
        fork = self._forks.get(encounter)
        return own or (self._hash_of(fork.parent, seq) if fork is not None and seq <= fork.at else None)

    def _rows_here(self, encounter: UUID) -> dict[int, bytes]:
        if encounter not in self._here:
            rows = self._ledger.recorder.select_rows(encounter)
            self._here[encounter] = {row.seq: row.hash for row in rows}
            first = decode(rows[0].name, rows[0].state) if rows else None
            if isinstance(first, Forked):
                self._forks[encounter] = first
        return self._here[encounter]


def _is_named_rightly(event: Event) -> bool:
    """An encounter's id follows from its name."""
    return not isinstance(event, EncounterOpened | Forked) or encounter_id(event.name) == event.encounter


def _damaged(number: int, what: str) -> Problem:
    return Problem("import/damaged", f"Line {number} cannot be trusted: {what}. Nothing was imported; export it again.")
