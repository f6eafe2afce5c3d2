"""Reading the state of an encounter from the ledger: only the kinds of events that change it are read."""

from __future__ import annotations

from ledger.registry import stored_names
from ledger.store import Ledger, encounter_id
from projections.battle import STATEFUL, Battle, fold

_NAMES = stored_names(STATEFUL)


def read_battle(ledger: Ledger, reference: str, *, at: int | None = None) -> Battle:
    """The state now, or after the event `at`."""
    events = ledger.read_kinds(encounter_id(reference), _NAMES, upto=at)
    if not events:
        raise ledger.unknown(reference)
    return fold(events)
