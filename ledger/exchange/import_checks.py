"""Check events from outside before any is recorded: each is read, and its place and its hash are checked.

A fight is left out if this ledger has something else in its place.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple, cast
from uuid import UUID

from pydantic import Field, WithJsonSchema

from ledger.errors import Problem, UnknownKind
from ledger.events import EncounterOpened, Event, Forked
from ledger.exchange.export import ExportLine
from ledger.json_shapes import EARLIEST, LATEST, is_expressible
from ledger.registry import GENESIS, chained_hash, decode
from ledger.store.ledger import MAX_FORKS_DEEP, LedgerStore, encounter_id
from ledger.store.recorder import StoredRow


class LeftOutReason(StrEnum):
    NAME_TAKEN = "name_taken"
    """Another fight has its name here."""
    DIVERGED = "diverged"
    """It is the same fight, but it went on differently here."""
    PARENT_LEFT_OUT = "parent_left_out"
    """It is a fork, or a fork of a fork, of a fight that is left out."""
    COPY_DIFFERS = "copy_differs"
    """It was imported under another name before, and has gone on since."""


class ImportConflict(NamedTuple):
    why: LeftOutReason
    problem: Problem


@dataclass(frozen=True, slots=True)
class LeftOutFight:
    name: str
    encounter: UUID
    why: Annotated[
        LeftOutReason,
        WithJsonSchema({"type": "string"}),  # programs have to expect other reasons
        Field(description="`name_taken`, `diverged`, `copy_differs` or `parent_left_out`"),
    ]


def import_differs(event: Event, name: str) -> Problem:
    return Problem(
        "import/differs",
        f"This ledger has another event {event.seq} of {name!r}: the fight went on differently in the two ledgers, so "
        "nothing was imported.",
        encounter=str(event.encounter),
        seq=event.seq,
        name=name,
        why=LeftOutReason.DIVERGED,
    )


def import_name_taken(event: Event, name: str) -> Problem:
    return Problem(
        "import/differs",
        f"This ledger has another fight named {name!r}, so nothing was imported.",
        encounter=str(event.encounter),
        seq=event.seq,
        name=name,
        why=LeftOutReason.NAME_TAKEN,
    )


def copy_differs(encounter: UUID, name: str, copy: str) -> Problem:
    return Problem(
        "import/copy-differs",
        f"{name!r} was imported under the name {copy!r} before. It has gone on since, and a copy cannot follow it, so "
        "nothing was imported.",
        encounter=str(encounter),
        name=name,
        found=copy,
    )


_HASH_BYTES = 32
_Beginning = EncounterOpened | Forked
_BEGINNINGS = {EncounterOpened, Forked}


class EncounterHashes:
    """The hashes of an encounter's events by seq. Compact, because an import may have millions."""

    def __init__(self) -> None:
        self._seqs = array("Q")
        self._hashes = bytearray()
        self._last: tuple[int, bytes | None] = 0, None
        """The last event and its hash: most events come in order."""

    def __setitem__(self, seq: int, hashed: bytes) -> None:
        if seq > self._last[0]:
            self._last = seq, hashed
            self._seqs.append(seq)
            self._hashes += hashed
            return
        at = bisect_left(self._seqs, seq)
        self._seqs.insert(at, seq)
        self._hashes[at * _HASH_BYTES : at * _HASH_BYTES] = hashed

    def get(self, seq: int) -> bytes | None:
        last, hashed = self._last
        if seq >= last:
            return hashed if seq == last else None
        at = bisect_left(self._seqs, seq)
        if self._seqs[at] != seq:
            return None
        return bytes(self._hashes[at * _HASH_BYTES : (at + 1) * _HASH_BYTES])

    def before(self, seq: int) -> EncounterHashes:
        """A copy of those before an event."""
        at = bisect_left(self._seqs, seq)
        found = EncounterHashes()
        for index, earlier in enumerate(self._seqs[:at]):
            found[earlier] = bytes(self._hashes[index * _HASH_BYTES : (index + 1) * _HASH_BYTES])
        return found

    @property
    def first(self) -> tuple[int, bytes]:
        return self._seqs[0], bytes(self._hashes[:_HASH_BYTES])

    @property
    def last(self) -> tuple[int, bytes]:
        return self._seqs[-1], bytes(self._hashes[-_HASH_BYTES:])

    def has_before(self, seq: int) -> bool:
        return bool(self._seqs) and self._seqs[0] < seq

    def has_after(self, seq: int) -> bool:
        return self._last[0] > seq


class ArrivingEvents:
    """The events of a file, checked in order against each other and against what this ledger holds.

    A fight that conflicts with what this ledger holds is a problem, unless conflicts are to be collected. Then the rest
    of it, and its forks, are checked against what the file has of it.
    """

    def __init__(self, ledger: LedgerStore, *, collect_conflicts: bool = False) -> None:
        self._ledger = ledger
        self._collect_conflicts = collect_conflicts
        self.conflicts: dict[UUID, ImportConflict] = {}
        self._held: dict[UUID, range] = {}
        """The events that this ledger holds of each encounter it has, unless that is left out."""
        self._names: dict[UUID, str] = {}
        self._hashes: dict[UUID, EncounterHashes] = {}
        """Of every encounter seen so far: what this ledger holds, and what the file has brought."""
        self._forks: dict[UUID, Forked] = {}
        self._current: tuple[UUID | None, EncounterHashes] = None, EncounterHashes()
        """The encounter of the last line, because the next one is usually of the same."""
        self.encounters: set[UUID] = set()
        self.known = 0

    def admit(self, number: int, line: ExportLine) -> Event | None:
        """The event if it is new and in its place; None if this ledger has it already."""
        event = _decoded(number, line)
        encounter, seq, name, state, hashed = line
        if seq != event.seq or encounter.int != event.encounter.int or not _is_named_rightly(event):
            raise _damaged(number, "it is not the event that it claims to be")
        _check_date(number, event)
        if event.declaration > event.seq or (event.cause or 0) >= event.seq:
            raise _damaged(number, "it names a later event as its cause")
        self._enter(encounter)
        if chained_hash(self._head_before(number, event), encounter, seq, name, state) != hashed:
            raise _damaged(number, "its hash does not match its content and the event before it")
        return self._settle(event, hashed)

    def name(self, encounter: UUID) -> str:
        return self._names[encounter]

    def hashes(self, encounter: UUID) -> EncounterHashes:
        """Of an encounter's own events, those of the file included. If it conflicts, only those of the file."""
        return self._of(encounter)

    def fork(self, encounter: UUID) -> Forked | None:
        """How an encounter was forked, if it is a fork."""
        self._of(encounter)
        return self._forks.get(encounter)

    def ancestors(self, encounter: UUID) -> Iterator[UUID]:
        """What it was forked from, the nearest first. Forks in a circle were refused."""
        while (fork := self.fork(encounter)) is not None:
            encounter = fork.parent
            yield encounter

    def head_before(self, encounter: UUID) -> bytes:
        """The hash that its first event follows."""
        fork = self.fork(encounter)
        return (self._shared(fork) if fork is not None else None) or GENESIS

    def _enter(self, encounter: UUID) -> None:
        if encounter is not self._current[0]:
            self._current = encounter, self._of(encounter)
            self.encounters.add(encounter)

    def _settle(self, event: Event, hashed: bytes) -> Event | None:
        """Whether the event is known, new, or contradicts what this ledger holds."""
        hashes = self._current[1]
        before = hashes.get(event.seq)
        if before is None and hashes.has_after(event.seq):
            raise Problem(
                "import/gap",
                f"This ledger lacks event {event.seq} of {event.encounter} although it has later ones; "
                "nothing was imported.",
                encounter=str(event.encounter),
                seq=event.seq,
            )
        if before is not None and before == hashed:
            self.known += 1
            return None
        if before is not None:
            self._contradict(event)
        self._current[1][event.seq] = hashed
        return event

    def _contradict(self, event: Event) -> None:
        name = self._names[event.encounter]
        problem = import_name_taken(event, name) if type(event) in _BEGINNINGS else import_differs(event, name)
        if event.seq not in self._held.get(event.encounter, ()):
            raise problem  # it contradicts an event of the same file, which no skipping makes right
        self._leave_out(event, problem)

    def _leave_out(self, event: Event, problem: Problem) -> None:
        """From here on, the encounter is checked against what the file has of it."""
        if not self._collect_conflicts:
            raise problem
        encounter, begins = event.encounter, type(event) in _BEGINNINGS
        self.conflicts[encounter] = ImportConflict(
            LeftOutReason.NAME_TAKEN if begins else LeftOutReason.DIVERGED, problem
        )
        del self._held[encounter]
        self._hashes[encounter] = EncounterHashes() if begins else self._hashes[encounter].before(event.seq)
        self._current = encounter, self._hashes[encounter]

    def _head_before(self, number: int, event: Event) -> bytes:
        if type(event) in _BEGINNINGS:
            before = self._head_before_beginning(number, cast(_Beginning, event))
        else:
            before = self._current[1].get(event.seq - 1)
        if before is None:
            raise _damaged(
                number, f"event {event.seq - 1}, which it follows, is neither in the file nor in this ledger"
            )
        return before

    def _head_before_beginning(self, number: int, event: _Beginning) -> bytes | None:
        follows = event.at if isinstance(event, Forked) else 0
        held = self._held.get(event.encounter)
        if event.seq == follows + 1 and held is not None and held.start != event.seq:
            self._leave_out(event, import_name_taken(event, event.name))
        self._names[event.encounter] = event.name
        if event.seq != follows + 1 or self._of(event.encounter).has_before(event.seq):
            raise _damaged(number, "an encounter begins only once, with its first event")
        if isinstance(event, EncounterOpened):
            self._forks.pop(event.encounter, None)
            return GENESIS
        self._forks[event.encounter] = event
        self._check_depth(number, event)
        return self._shared(event)

    def _check_depth(self, number: int, fork: Forked) -> None:
        origin: Forked | None = fork
        depth = 0
        while origin is not None:
            depth += 1
            if depth > MAX_FORKS_DEEP:
                raise _damaged(number, f"it is a fork of forks more than {MAX_FORKS_DEEP} deep")
            self._of(origin.parent)
            origin = self._forks.get(origin.parent)

    def _shared(self, fork: Forked) -> bytes | None:
        """The hash of the last event that a fork shares, which is stored with the encounter it was played in."""
        origin: Forked | None = fork
        while origin is not None and fork.at <= origin.at:
            if (found := self._of(origin.parent).get(fork.at)) is not None:
                return found
            origin = self._forks.get(origin.parent)
        return None

    def _of(self, encounter: UUID) -> EncounterHashes:
        if encounter not in self._hashes:
            self._hashes[encounter] = hashes = EncounterHashes()
            rows = self._ledger.recorder.select_rows(encounter)
            for row in rows:
                hashes[row.seq] = row.hash
            if rows:
                self._hold(encounter, rows)
        return self._hashes[encounter]

    def _hold(self, encounter: UUID, rows: list[StoredRow]) -> None:
        self._held[encounter] = range(rows[0].seq, rows[-1].seq + 1)
        first = decode(rows[0].name, rows[0].state)
        if isinstance(first, Forked):
            self._forks[encounter] = first
        if isinstance(first, EncounterOpened | Forked):
            self._names[encounter] = first.name


def _decoded(number: int, line: ExportLine) -> Event:
    try:
        return decode(line.name, line.state)
    except UnknownKind as problem:
        raise Problem(
            problem.code,
            f"Line {number} holds an event of the kind {line.name!r}, which this version does not know; "
            "upgrade combatlog.",
            line=number,
            kind=line.name,
        ) from problem
    except Problem as problem:
        raise _damaged(number, f"its content is not that of an event of the kind {line.name!r}") from problem


def _check_date(number: int, event: Event) -> None:
    """A date that PostgreSQL or a file format cannot express would break whatever reads all events."""
    if not is_expressible(event.recorded_at):
        raise Problem(
            "import/date",
            f"Line {number} cannot be imported: it says it was recorded at {event.recorded_at.isoformat()}, but dates "
            f"are in the years {EARLIEST.year} to {LATEST.year}, with an offset from UTC. Nothing was imported.",
            line=number,
            found=event.recorded_at.isoformat(),
        )


def _is_named_rightly(event: Event) -> bool:
    """Whether the encounter's id follows from its name, as it must."""
    return type(event) not in _BEGINNINGS or encounter_id(cast(_Beginning, event).name) == event.encounter


def _damaged(number: int, what: str) -> Problem:
    return Problem(
        "import/damaged", f"Line {number} cannot be trusted: {what}. Nothing was imported.", line=number, what=what
    )
