"""Copying fights of an import under other names."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

from combatlog.rules.engine.fight import utc_now
from combatlog.rules.engine.import_renaming import Settlement
from combatlog.rules.engine.import_sense import check_sense
from ledger.errors import Problem
from ledger.events import EncounterImported, Event, Original
from ledger.hashing import GENESIS, link
from ledger.import_buffer import ImportBuffer
from ledger.import_checks import Arrivals
from ledger.import_lines import Line
from ledger.recorder import Row
from ledger.registry import decode, encode
from ledger.renaming import Identities, renamed
from ledger.store import Ledger, Stored, with_shared_past
from projections.battle import fold


class Past:
    """Encounters as they will be when everything is recorded: from this ledger, from the file, and copied from it."""

    def __init__(self, ledger: Ledger, buffer: ImportBuffer, copied: ImportBuffer) -> None:
        self._ledger = ledger
        self._buffer = buffer
        self.copied = copied

    def rows(self, encounter: UUID) -> list[Stored]:
        """Every row of an encounter; a fork's past is its parent's."""
        return with_shared_past(encounter, self._own_rows)

    def events(self, encounter: UUID) -> Iterator[Event]:
        return (decode(row.name, row.state) for _, row in self.rows(encounter))

    def own_rows(self, encounter: UUID) -> list[Row]:
        """What the file has of an encounter, in order."""
        return sorted(self._buffer.rows_of(encounter), key=lambda row: row.seq)

    def _own_rows(self, encounter: UUID) -> list[Stored]:
        here = self._ledger.recorder.select_rows(encounter)
        rows = [*here, *self._buffer.rows_to_record(encounter), *self.copied.rows_of(encounter)]
        by_seq = {row.seq: row for row in rows}  # some of the file's may be on their way into this ledger already
        return [(encounter, by_seq[seq]) for seq in sorted(by_seq)]


def copy_fight(encounter: UUID, arrivals: Arrivals, settlement: Settlement, past: Past) -> None:
    """Write a fight of the file under its new name, with an event that says what it was there."""
    identities = settlement.identities_of(encounter)
    rows = [(encounter, row) for row in past.own_rows(encounter)]
    copied = list(renamed(rows, identities, _head_before(encounter, arrivals, identities, past)))
    _check_reversible(rows, copied, identities, arrivals.head_before(encounter))
    for here, row in copied:
        past.copied.add(Line(here, *row))
    here, last = copied[-1]
    past.copied.add(_imported(here, last, rows[-1][1].hash, identities, past))
    check_sense(past.events(here))


def _head_before(encounter: UUID, arrivals: Arrivals, identities: Identities, past: Past) -> bytes:
    """The hash that its first event follows here."""
    fork = arrivals.fork(encounter)
    if fork is None:
        return GENESIS
    parent = identities[fork.parent][1].encounter if fork.parent in identities else fork.parent
    return next(row.hash for _, row in past.rows(parent) if row.seq == fork.at)


def _check_reversible(rows: list[Stored], copied: list[Stored], identities: Identities, head: bytes) -> None:
    """With the old names put back, every event must have its old hash: otherwise nobody could check the copy."""
    back = {here.encounter: (here, there) for there, here in identities.values()}
    if list(renamed(copied, back, head)) != rows or any(_claims(row) != here for here, row in copied):
        name = next(iter(identities.values()))[0].name
        raise Problem(
            "import/not-as-written",
            f"{name!r} cannot have another name: its events are not written as they are here. Nothing was imported.",
            name=name,
        )


def _claims(row: Row) -> UUID:
    return decode(row.name, row.state).encounter


def _imported(encounter: UUID, last: Row, head: bytes, identities: Identities, past: Past) -> Line:
    clock = fold(list(past.events(encounter))).clock
    event = EncounterImported(
        encounter=encounter,
        seq=last.seq + 1,
        recorded_at=utc_now(),
        declaration=last.seq + 1,
        round=clock.round,
        turn=clock.turn,
        command=uuid4(),
        originals=tuple(
            Original(here=here.encounter, encounter=there.encounter, name=there.name)
            for there, here in identities.values()
        ),
        head=head.hex(),
    )
    name, state = encode(event)
    return Line(encounter, event.seq, name, state, link(last.hash, encounter, event.seq, name, state))
