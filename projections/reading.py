"""Reading the state of an encounter from the ledger: from a state that was kept or, without one, from its beginning.

From the beginning, only the kinds of events that change the state are read.
"""

from __future__ import annotations

from uuid import UUID

from ledger.registry import stored_names
from ledger.store import Ledger, encounter_id
from projections.battle import STATEFUL, Battle, fold
from projections.course import Course, Earlier
from projections.resuming import resume

_NAMES = stored_names(STATEFUL)


def read_battle(ledger: Ledger, reference: str, *, at: int | None = None) -> Battle:
    """The state now, or after the event `at`."""
    if at is None and (battle := _resumed(ledger, encounter_id(reference))) is not None:
        return battle
    events = ledger.read_kinds(encounter_id(reference), _NAMES, upto=at)
    if not events:
        raise ledger.unknown(reference)
    return fold(events)


def _resumed(ledger: Ledger, encounter: UUID) -> Battle | None:
    resumed = resume(ledger, encounter)
    if resumed is None:
        return None
    try:
        return Course(resumed.newer.events, start=resumed.start).battle
    except Earlier:
        return None
