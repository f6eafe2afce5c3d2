"""Seal an encounter, and check a fight against seals or against the events that a seat was shown.

Every shown event has to be in the log, unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from pydantic import BaseModel, Field
from pydantic_core import from_json

from combatlog.rules.engine.resolution.fight_engine import utc_now
from combatlog.rules.exchange.import_renaming import copied_from
from combatlog.rules.verification.verify import (
    VerificationFinding,
    VerificationReport,
    check_copies,
    check_rows,
    verify,
)
from ledger.errors import Problem
from ledger.events import Data, Declared
from ledger.exchange.export import MAX_EVENTS
from ledger.exchange.seal import Seal, check_seal, make_seal, own_key, public_hex, read_seal
from ledger.registry import decode
from ledger.store.database import home_folder
from ledger.store.ledger import LedgerStore, Stored, encounter_id
from projections.battle.fold import fold
from projections.views import Seat, SeatView
from projections.views.seat_view import VERSION, as_shown, proof_of, salt_of


def seal_encounter(ledger: LedgerStore, reference: str, *, now: Callable[[], datetime] = utc_now) -> Seal:
    """Seal an encounter as it is now. Refuses one that was tampered with."""
    report = verify(ledger, reference)
    if not report.stands:
        raise Problem(
            "seal/not-as-recorded",
            f"Event {report.findings[0].seq} does not verify, so the encounter cannot be sealed.",
            encounter=reference,
            seq=report.findings[0].seq,
        )
    stream = ledger.find(reference)
    battle = fold(stream.events)
    return make_seal(own_key(home_folder()), battle.id, battle.name, battle.seq, stream.head, now())


def read_seals(paths: Iterable[Path], trust: Iterable[str]) -> list[Seal]:
    """Read seals from files. Each must be signed with this user's key or a trusted one."""
    seals = [read_seal(path) for path in paths]
    if seals:
        trusted = {public_hex(own_key(home_folder())), *(key.strip().lower() for key in trust)}
        for seal in seals:
            check_seal(seal, trusted)
    return seals


def require_about(encounter: str, seals: Iterable[Seal], sealed: Iterable[UUID]) -> None:
    """Refuse seals of other encounters; `sealed` has the encounter of each seal."""
    for seal, about in zip(seals, sealed, strict=True):
        if about != encounter_id(encounter):
            raise Problem(
                "seal/other-encounter",
                f"That seal is for {seal.name!r}, not for {encounter!r}.",
                found=seal.name,
                needed=encounter,
            )


LONGEST_LINE = 1_000_000
"""The most characters in a line."""


class SeatRecord(BaseModel):
    """The events that a seat was shown."""

    shown: int = Field(description="the version of these lines")
    encounter: UUID
    name: str
    seat: str
    events: list[str] = Field(default_factory=list)
    """The events as lines of JSON. They are validated now and parsed again when compared, because parsed data needs
    many times the memory of its text."""

    @classmethod
    def read(cls, lines: Iterable[str]) -> SeatRecord:
        try:
            written = (line for line in _bounded(lines) if line.strip())
            found = cls.model_validate({**from_json(next(written)), "events": []})
            found._check_version()
            for line in written:
                ShownEvent.read(line)
                found.events.append(line)
        except (ValueError, TypeError, StopIteration) as error:
            raise Problem("shown/unreadable", "This is not a readable record of what a seat was shown.") from error
        return found

    def _check_version(self) -> None:
        if self.shown != VERSION:
            sentence = (
                f"This was shown by another version (format {self.shown}, here {VERSION}), so it cannot be compared."
            )
            raise Problem("shown/other-version", sentence, found=self.shown, needed=VERSION)


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if number > MAX_EVENTS + 1 or len(line) > LONGEST_LINE:
            sentence = f"The record is too large; the limit is {MAX_EVENTS} events of {LONGEST_LINE} characters each."
            raise Problem("shown/too-large", sentence, line=number, needed=MAX_EVENTS)
        yield line


class ShownEvent(BaseModel):
    event: Data
    proof: str | None = None

    @classmethod
    def read(cls, line: str) -> ShownEvent:
        return cls.model_validate(from_json(line))


class _Difference(NamedTuple):
    number: int
    """The seat's own number for the event."""
    finding: VerificationFinding
    """Has the number of the event in the log."""


def check_shown(ledger: LedgerStore, encounter: UUID, shown: SeatRecord) -> list[VerificationFinding]:
    """Differences between the log and what was shown."""
    rows = _rows_shown(encounter, ledger.history(encounter), shown)
    found = _difference(rows, _seen(rows, shown), shown)
    return [found.finding] if found is not None else []


def check_own(ledger: LedgerStore, encounter: UUID, shown: SeatRecord, seat: Seat) -> VerificationReport:
    """The same for a seat that does not see everything: of what it was shown itself, by its own numbers.

    The report must not reveal anything that the seat does not see, except that the record was changed. So no
    declaration is resolved again, and no number says where the record was changed.
    """
    if Seat.read(shown.seat).words != seat.words:
        sentence = f"This was shown to {shown.seat}; from your seat you can check what {seat.words} was shown."
        raise Problem("shown/other-seat", sentence, found=shown.seat, needed=seat.words)
    stored = ledger.history(encounter)
    if check_rows(stored) or check_copies(copied_from(stored)):
        last = max(1, len(shown.events))
        changed = VerificationFinding(
            seq=last, problem="the log has changed since it was recorded, or is no longer readable"
        )
        return VerificationReport(name=shown.name, events=0, declarations=0, seat=seat.words, findings=[changed])
    rows = _rows_shown(encounter, stored, shown)
    seen = _seen(rows, shown)
    found = _difference(rows, seen, shown)
    return VerificationReport(
        name=seen.battle.name,
        events=seen.last,
        declarations=sum(isinstance(event, Declared) for event in seen.seen),
        shown=len(shown.events),
        seat=seat.words,
        findings=[found.finding.model_copy(update={"seq": found.number})] if found is not None else [],
    )


def _rows_shown(encounter: UUID, rows: Sequence[Stored], shown: SeatRecord) -> Sequence[Stored]:
    """The log that was shown. A fight that was imported under another name is compared under its original name."""
    known = [(encounter, rows), *((copy.rows[-1][0], copy.rows) for copy in copied_from(rows))]
    own = next((past for id, past in known if id == shown.encounter), None)
    if own is None:
        sentence = f"This record is of another fight, {shown.name!r}."
        raise Problem("shown/other-fight", sentence, name=shown.name, encounter=str(shown.encounter))
    return own


def _seen(rows: Sequence[Stored], shown: SeatRecord) -> SeatView:
    return SeatView(Seat.read(shown.seat), (decode(row.name, row.state) for _, row in rows))


def _difference(rows: Sequence[Stored], seen: SeatView, shown: SeatRecord) -> _Difference | None:
    """The first event that is not in the log as it was shown."""
    hashes, salt = {row.seq: row.hash for _, row in rows}, salt_of(seen)
    for number, line in enumerate(shown.events, 1):
        if number > seen.last:
            missing = VerificationFinding(seq=rows[-1][1].seq, problem=f"{_what(shown, number)} is not in the log.")
            return _Difference(number, missing)
        told, seq, now = ShownEvent.read(line), seen.recorded(number), as_shown(seen.seen[number - 1])
        if now != told.event:
            recorded, here = (json.dumps(event, sort_keys=True, ensure_ascii=False) for event in (told.event, now))
            problem = f"{_what(shown, number)} differs from the log."
            return _Difference(number, VerificationFinding(seq=seq, problem=problem, recorded=recorded, now=here))
        if told.proof is not None and (salt is None or proof_of(salt, seq, hashes[seq]) != told.proof):
            problem = f"{_what(shown, number)} is the same, but the log before it was different."
            return _Difference(number, VerificationFinding(seq=seq, problem=problem))
    return None


def _what(shown: SeatRecord, number: int) -> str:
    return f"Event {number} as shown to {shown.seat}"
