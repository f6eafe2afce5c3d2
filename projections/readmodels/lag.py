"""How far the read models are behind the ledger, and what keeps them there."""

from __future__ import annotations

from typing import NamedTuple

from ledger.connections import is_read_only
from ledger.recorder import Underway
from ledger.store import Ledger
from projections.readmodels.session import Session, session


class Lag(NamedTuple):
    events: int
    """How many recorded events are not in the read models yet."""
    writer: Underway | None
    """The transaction that they wait for: its events may come before those that are recorded already."""
    is_read_only: bool
    """On a standby nobody can bring them in; it receives them from the primary."""


def lag_of(ledger: Ledger) -> Lag:
    with session(ledger) as opened:
        return lag_in(opened)


def lag_in(opened: Session) -> Lag:
    recorder = opened.ledger.recorder
    events = recorder.count_after(opened.models.position(opened.ledger))
    return Lag(events, recorder.select_oldest_writer() if events else None, is_read_only(opened.conn))
