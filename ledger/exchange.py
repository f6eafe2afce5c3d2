"""Exporting fights to another ledger: one line of JSON for each event, with its hash.

The state of an event is exported as the text that is stored, so that its hash can be checked byte by byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

from ledger.events import Event
from ledger.hashing import GENESIS, link
from ledger.recorder import Row
from ledger.registry import encode
from ledger.store import Ledger, encounter_id


def export_lines(ledger: Ledger, references: Iterable[str]) -> Iterator[str]:
    """The events of these encounters and of the pasts they share: each once, a past before what follows from it."""
    written: set[tuple[UUID, int]] = set()
    for reference in references:
        history = ledger.history(encounter_id(reference))
        if not history:
            raise ledger.unknown(reference)
        for encounter, row in history:
            if (encounter, row.seq) not in written:
                written.add((encounter, row.seq))
                yield _line(encounter, row)


def lines_of(events: Sequence[Event]) -> Iterator[str]:
    """The same for a whole fight that is in no ledger yet, from its first event on."""
    head = GENESIS
    for event in events:
        name, state = encode(event)
        head = link(head, event.encounter, event.seq, name, state)
        yield _line(event.encounter, Row(event.seq, name, state, head))


def _line(encounter: UUID, row: Row) -> str:
    fields = {"encounter": str(encounter), "seq": row.seq, "name": row.name}
    return json.dumps({**fields, "state": row.state.decode(), "hash": row.hash.hex()}, ensure_ascii=False)
