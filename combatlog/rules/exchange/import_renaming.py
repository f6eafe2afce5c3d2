"""Imported fights with names that are taken in this ledger: each is renamed, left out, or already here as a copy.

A fight that was imported under another name keeps its seals and dice: they are checked with its original names.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Annotated, NamedTuple
from uuid import UUID

from pydantic import Field

from combatlog.rules.engine.refusal import Refusal, unknown
from combatlog.rules.engine.resolution.command_checks import check_name
from ledger.events import EncounterImported, Event, Forked
from ledger.exchange.export import (
    EncounterIdentities,
    EncounterIdentity,
    as_imported,
    imports_in,
    renamed_copies,
    stored_name_of,
)
from ledger.exchange.import_checks import ArrivingEvents, ImportConflict, LeftOutFight, LeftOutReason, copy_differs
from ledger.exchange.seal import Seal
from ledger.store.ledger import LedgerStore, Stored, encounter_id

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Renames:
    """The new names of fights with names that are taken."""

    names: Mapping[str, str | None] = field(default_factory=dict)
    """New names by the names in the file; None for any free name."""
    taken: bool = False
    """Whether to find free names for all other fights with names that are taken."""

    def __bool__(self) -> bool:
        return self.taken or bool(self.names)


NO_RENAMES = Renames()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A fight with a different name here than in the file, or a fork of one."""

    name: Annotated[str, Field(description="its name in the file")]
    new_name: Annotated[str, Field(description="its name here")]
    encounter: Annotated[UUID, Field(description="its id here")]
    new: Annotated[bool, Field(description="whether it was imported now; otherwise, it was already here")]


class Settlement:
    """Decides the name that each fight of a file gets here, from the file's contents and the requested renames."""

    def __init__(self, ledger: LedgerStore, arrivals: ArrivingEvents, renames: Renames) -> None:
        self._ledger = ledger
        self._arrivals = arrivals
        self._renames = renames
        self._copies = renamed_copies(ledger.recorder) if renames and arrivals.conflicts else {}
        self._original_hashes: dict[UUID, set[tuple[int, bytes]]] = {}
        self._given: set[UUID] = set()
        self.identities: dict[UUID, tuple[EncounterIdentity, EncounterIdentity]] = {}
        """The identities of renamed fights in the file and here."""
        self.new: list[UUID] = []
        """The renamed fights that are not here yet, by their ids in the file; parents come before their forks."""
        self.conflicts: dict[UUID, ImportConflict] = {}
        """Fights that cannot be imported."""
        if renames.names:
            _check_names(renames, {arrivals.name(encounter) for encounter in arrivals.encounters})

    def settle(self) -> None:
        if not self._arrivals.conflicts:
            return
        for encounter in sorted(self._arrivals.encounters, key=self._arrivals.name):
            self._settle(encounter)

    def left_out(self) -> list[LeftOutFight]:
        found = self.conflicts.items()
        left = [LeftOutFight(self._arrivals.name(encounter), encounter, conflict.why) for encounter, conflict in found]
        return sorted(left, key=lambda one: one.name)

    def renamed(self) -> list[Renamed]:
        return [
            Renamed(there.name, here.name, here.encounter, encounter in self.new)
            for encounter, (there, here) in self.identities.items()
        ]

    def identities_of(self, encounter: UUID) -> EncounterIdentities:
        """The changed identities of a fight and, after it, of its ancestors."""
        past = (encounter, *self._arrivals.ancestors(encounter))
        return {one: self.identities[one] for one in past if one in self.identities}

    def _settle(self, encounter: UUID) -> None:
        """Settle a fight after its ancestors. A fight that keeps its name and its past needs no change."""
        if self._is_settled(encounter):
            return
        fork = self._arrivals.fork(encounter)
        for ancestor in self._arrivals.ancestors(encounter):
            if ancestor in self._arrivals.encounters:
                self._settle(ancestor)
        conflict = self._own_conflict(encounter) or self._inherited_conflict(encounter)
        if conflict is not None:
            self.conflicts[encounter] = conflict
        elif encounter in self._arrivals.conflicts or (fork is not None and fork.parent in self.identities):
            self._copy(encounter)

    def _is_settled(self, encounter: UUID) -> bool:
        return encounter in self.conflicts or encounter in self.identities

    def _own_conflict(self, encounter: UUID) -> ImportConflict | None:
        """The conflict of the fight itself. Renaming does not help a fight that continued differently here."""
        conflict = self._arrivals.conflicts.get(encounter)
        if conflict is None or (conflict.why is LeftOutReason.NAME_TAKEN and self._may_copy(encounter)):
            return None
        return conflict

    def _may_copy(self, encounter: UUID) -> bool:
        asked = self._renames.taken or self._arrivals.name(encounter) in self._renames.names
        return asked or (bool(self._renames) and self._copy_here(encounter) is not None)

    def _inherited_conflict(self, encounter: UUID) -> ImportConflict | None:
        """The conflict of a fork with a missing past, or a past that is only renamed in part."""
        past = list(self._arrivals.ancestors(encounter))
        for ancestor in past:
            if ancestor in self.conflicts:
                return ImportConflict(LeftOutReason.PARENT_LEFT_OUT, self.conflicts[ancestor].problem)
        for ancestor in past[1:]:
            if ancestor in self.identities and past[0] not in self.identities:
                return ImportConflict(LeftOutReason.PARENT_LEFT_OUT, self._arrivals.conflicts[ancestor].problem)
        return None

    def _copy(self, encounter: UUID) -> None:
        there = EncounterIdentity(encounter, self._arrivals.name(encounter))
        copy = self._copy_here(encounter)
        if copy is None:
            name = self._new_name(encounter)
            self._given.add(encounter_id(name))
            self.identities[encounter] = there, EncounterIdentity(encounter_id(name), name)
            self.new.append(encounter)
            return
        here = EncounterIdentity(copy.encounter, stored_name_of(self._ledger.recorder, copy.encounter))
        if self._arrivals.hashes(encounter).last in self._hashes(copy):
            self.identities[encounter] = there, here
        else:
            problem = copy_differs(encounter, there.name, here.name)
            self.conflicts[encounter] = ImportConflict(LeftOutReason.COPY_DIFFERS, problem)

    def _copy_here(self, encounter: UUID) -> EncounterImported | None:
        """The copy from an earlier import. Its hashes are compared, because other fights may have had the same id."""
        beginning = self._arrivals.hashes(encounter).first
        return next((copy for copy in self._copies.get(encounter, ()) if beginning in self._hashes(copy)), None)

    def _hashes(self, copy: EncounterImported) -> set[tuple[int, bytes]]:
        """The numbers of the copied events with their hashes in the other ledger."""
        if copy.encounter not in self._original_hashes:
            rows = as_imported(self._ledger.history(copy.encounter), copy)
            self._original_hashes[copy.encounter] = {(row.seq, row.hash) for _, row in rows}
        return self._original_hashes[copy.encounter]

    def _new_name(self, encounter: UUID) -> str:
        name = self._arrivals.name(encounter)
        asked = self._renames.names.get(name)
        if asked is not None:
            return self._checked(asked, name)
        if encounter not in self._arrivals.conflicts:
            return name  # only an ancestor has another name
        return next(other for other in _numbered(name) if self._is_free(encounter_id(other)))

    def _checked(self, asked: str, name: str) -> str:
        checked = check_name(asked)
        if not self._is_free(encounter_id(checked)):
            raise Refusal(
                "import/rename-taken",
                f"{name!r} cannot be named {checked!r}: another fight here or in the file has that name.",
                name=name,
                found=checked,
            )
        return checked

    def _is_free(self, encounter: UUID) -> bool:
        taken: tuple[Container[UUID], ...] = (self._given, self._arrivals.encounters)
        return not any(encounter in some for some in taken) and not self._ledger.recorder.has(encounter)


def _numbered(name: str) -> Iterator[str]:
    """`Bridge ambush (2)`, `Bridge ambush (3)` and so on."""
    for number in count(2):
        suffix = f" ({number})"
        yield name[: LONGEST_NAME - len(suffix)].rstrip() + suffix


def _check_names(renames: Renames, in_file: set[str]) -> None:
    for name in renames.names:
        if name not in in_file:
            raise unknown("import/rename-unknown", f"The file has no fight named {name!r}.", name, sorted(in_file))


class CopiedFight(NamedTuple):
    event: EncounterImported
    rows: list[Stored]
    """The copied rows, with their original ids, names and hashes."""

    @property
    def is_whole(self) -> bool:
        """Whether the copy is complete and unchanged."""
        return bool(self.rows) and self.rows[-1][1].hash.hex() == self.event.head


def copied_from(rows: Sequence[Stored]) -> Iterator[CopiedFight]:
    """A fight's earlier identities in the ledgers where it had other names, the last one first."""
    while imports := imports_in(rows):
        rows = as_imported(rows, imports[0])
        yield CopiedFight(imports[0], list(rows))


def vouches_for(seal: Seal, rows: Sequence[Stored]) -> bool:
    return any(row.seq == seal.seq and row.hash.hex() == seal.head for _, row in rows)


def sealed_here(ledger: LedgerStore, seal: Seal) -> UUID:
    """The encounter that a seal is for: under its sealed name, or a copy under another name."""
    if not vouches_for(seal, ledger.history(seal.encounter)):
        for copy in renamed_copies(ledger.recorder).get(seal.encounter, ()):
            if vouches_for(seal, as_imported(ledger.history(copy.encounter), copy)):
                return copy.encounter
    return seal.encounter


def as_rolled(events: Sequence[Event], copied: Sequence[CopiedFight]) -> Sequence[Event]:
    """The events with their original ids, from which the faces of committed dice are computed."""
    ids = {event.encounter: event.encounter for event in events}
    for copy in copied:
        there = {original.here: original.encounter for original in copy.event.originals}
        ids = {here: there.get(was, was) for here, was in ids.items()}
    return [_with_ids(event, ids) for event in events] if copied else events


def _with_ids(event: Event, ids: dict[UUID, UUID]) -> Event:
    parent = {"parent": ids.get(event.parent, event.parent)} if isinstance(event, Forked) else {}
    return event.model_copy(update={"encounter": ids[event.encounter], **parent})
