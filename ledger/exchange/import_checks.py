"""Check imported events before any of them is recorded: their content, their place and their hash.

A fight is left out if it conflicts with what this ledger already has.
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
    """Another fight in this ledger has its name."""
    DIVERGED = "diverged"
    """It is the same fight, but it continued differently in this ledger."""
    PARENT_LEFT_OUT = "parent_left_out"
    """It is a fork, or a fork of a fork, of a fight that is left out."""
    COPY_DIFFERS = "copy_differs"
    """It was imported under another name before, and has continued since."""


class ImportConflict(NamedTuple):
    why: LeftOutReason
    problem: Problem


@dataclass(frozen=True, slots=True)
class LeftOutFight:
    name: str
    encounter: UUID
    why: Annotated[
        LeftOutReason,
        WithJsonSchema({"type": "string"}),  # later versions may add reasons
        Field(description="`name_taken`, `diverged`, `copy_differs` or `parent_left_out`"),
    ]


def import_differs(event: Event, name: str) -> Problem:
    return Problem(
        "import/differs",
        f"This ledger has a different event {event.seq} of {name!r}: the fight continued differently in the two "
        "ledgers, so nothing was imported.",
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
        f"{name!r} was imported under the name {copy!r} before. It has continued since, and a renamed copy cannot be "
        "extended, so nothing was imported.",
        encounter=str(encounter),
        name=name,
        found=copy,
    )


_HASH_BYTES = 32
_Beginning = EncounterOpened | Forked
_BEGINNINGS = {EncounterOpened, Forked}


class EncounterHashes:
    """The hashes of an encounter's events by seq, stored compactly, because an import may have millions."""

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
        """A copy with the hashes before an event."""
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
    """Checks the events of a file, in order, against each other and against this ledger.

    A fight that conflicts with this ledger raises a problem, unless conflicts are collected. Then the rest of the
    fight, and its forks, are checked against the file's version of it.
    """

    def __init__(self, ledger: LedgerStore, *, collect_conflicts: bool = False) -> None:
        self._ledger = ledger
        self._collect_conflicts = collect_conflicts
        self.conflicts: dict[UUID, ImportConflict] = {}
        self._held: dict[UUID, range] = {}
        """The seqs that this ledger has of each encounter, except those left out."""
        self._names: dict[UUID, str] = {}
        self._hashes: dict[UUID, EncounterHashes] = {}
        """The hashes of every encounter seen so far, from this ledger and from the file."""
        self._forks: dict[UUID, Forked] = {}
        self._current: tuple[UUID | None, EncounterHashes] = None, EncounterHashes()
        """The encounter of the last line. The next line usually has the same one."""
        self.encounters: set[UUID] = set()
        self.known = 0

    def admit(self, number: int, line: ExportLine) -> Event | None:
        """Check the next line. Returns the event if it is new, None if this ledger already has it."""
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
        """The hashes of an encounter's own events, including those of the file. After a conflict, only the file's."""
        return self._of(encounter)

    def fork(self, encounter: UUID) -> Forked | None:
        """How an encounter was forked, if it is a fork."""
        self._of(encounter)
        return self._forks.get(encounter)

    def ancestors(self, encounter: UUID) -> Iterator[UUID]:
        """The encounters it was forked from, nearest first. Cycles of forks were refused before."""
        while (fork := self.fork(encounter)) is not None:
            encounter = fork.parent
            yield encounter

    def head_before(self, encounter: UUID) -> bytes:
        """The hash before the encounter's first event."""
        fork = self.fork(encounter)
        return (self._shared(fork) if fork is not None else None) or GENESIS

    def _enter(self, encounter: UUID) -> None:
        if encounter is not self._current[0]:
            self._current = encounter, self._of(encounter)
            self.encounters.add(encounter)

    def _settle(self, event: Event, hashed: bytes) -> Event | None:
        """The event if it is new, None if it is known; a contradiction is a conflict or a problem."""
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
            raise problem  # it contradicts an event of the same file, which leaving the fight out would not resolve
        self._leave_out(event, problem)

    def _leave_out(self, event: Event, problem: Problem) -> None:
        """Leave the encounter out. From now on, it is checked against the file's version of it."""
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
        """The hash of the last event that a fork shares. It is stored with the encounter in which it was played."""
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
    """Refuse a date that PostgreSQL or a file format cannot express: it would break programs that read all events."""
    if not is_expressible(event.recorded_at):
        raise Problem(
            "import/date",
            f"Line {number} cannot be imported: its date is {event.recorded_at.isoformat()}, but dates must be in the "
            f"years {EARLIEST.year} to {LATEST.year} and have an offset from UTC. Nothing was imported.",
            line=number,
            found=event.recorded_at.isoformat(),
        )


def _is_named_rightly(event: Event) -> bool:
    """Whether the encounter's id is the one derived from its name."""
    return type(event) not in _BEGINNINGS or encounter_id(cast(_Beginning, event).name) == event.encounter


def _damaged(number: int, what: str) -> Problem:
    return Problem(
        "import/damaged", f"Line {number} cannot be trusted: {what}. Nothing was imported.", line=number, what=what
    )
