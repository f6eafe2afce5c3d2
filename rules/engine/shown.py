"""Checking a fight against what a seat was shown of it: every event has to be in the log, and as it was shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

from pydantic import BaseModel, Field, ValidationError

from ledger.errors import Problem
from ledger.events import Data
from ledger.registry import decode
from ledger.store import Ledger, Stored
from projections.views import Onlooker, Seat
from projections.views.shown import VERSION, as_shown, proof_of, salt_of
from rules.engine.copied import copied_from
from rules.engine.verify import Finding


class Shown(BaseModel):
    """What a seat was shown."""

    shown: int = Field(description="the version of these lines")
    encounter: UUID
    name: str
    seat: str
    events: list[ShownEvent] = Field(default_factory=list)

    @classmethod
    def read(cls, lines: Iterable[str]) -> Shown:
        try:
            about, *events = [json.loads(line) for line in lines if line.strip()]
            found = cls.model_validate({**about, "events": events})
        except (ValueError, TypeError, ValidationError) as error:
            raise Problem("shown/unreadable", "This is not what a seat was shown; it cannot be read.") from error
        if found.shown != VERSION:
            sentence = (
                f"This was shown by another version (lines {found.shown}, here {VERSION}), so it cannot be compared."
            )
            raise Problem("shown/other-version", sentence, found=found.shown, needed=VERSION)
        return found


class ShownEvent(BaseModel):
    event: Data
    proof: str | None = None


def check_shown(ledger: Ledger, encounter: UUID, shown: Shown) -> list[Finding]:
    """What in the log is not as it was shown. A fight that was imported under another name is what it was before."""
    rows = ledger.history(encounter)
    known = [(encounter, rows), *((copy.rows[-1][0], copy.rows) for copy in copied_from(rows))]
    own = next((past for id, past in known if id == shown.encounter), None)
    if own is None:
        sentence = f"This was shown of another fight, {shown.name!r}."
        raise Problem("shown/other-fight", sentence, name=shown.name, encounter=str(shown.encounter))
    return list(_compared(own, shown))


def _compared(rows: Sequence[Stored], shown: Shown) -> Iterator[Finding]:
    seen = Onlooker(Seat.read(shown.seat), (decode(row.name, row.state) for _, row in rows))
    hashes, salt = {row.seq: row.hash for _, row in rows}, salt_of(seen)
    for number, told in enumerate(shown.events, 1):
        if number > seen.last:
            yield Finding(seq=rows[-1][1].seq, problem=f"{_what(shown, number)} is not in the log.")
            return
        seq, now = seen.recorded(number), as_shown(seen.seen[number - 1])
        if now != told.event:
            recorded, here = (json.dumps(event, sort_keys=True, ensure_ascii=False) for event in (told.event, now))
            yield Finding(seq=seq, problem=f"{_what(shown, number)} was something else.", recorded=recorded, now=here)
            return
        if told.proof is not None and (salt is None or proof_of(salt, seq, hashes[seq]) != told.proof):
            problem = f"{_what(shown, number)} looks the same, but the log up to there was another one."
            yield Finding(seq=seq, problem=problem)
            return


def _what(shown: Shown, number: int) -> str:
    return f"What was shown to {shown.seat} as event {number}"


Shown.model_rebuild()
