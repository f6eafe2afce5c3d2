"""Reading an encounter from a snapshot on, so that a long fight is read as quickly as a short one."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from ledger import snapshots
from ledger.snapshots import Snapshot
from ledger.store import Ledger, Stream
from projections.frozen import fold_version, thaw
from projections.journal import JournaledBattle

SPAN = 250
"""After how many events a state is kept. Two are kept, so that most corrections find what they change after one."""
KEPT = 2


class Resumed(NamedTuple):
    """A state that was kept, and what was recorded since."""

    snapshot: Snapshot
    start: JournaledBattle
    newer: Stream


def resume(ledger: Ledger, encounter: UUID, *, older: int = 0) -> Resumed | None:
    """From the newest state that was kept, or from one of those before it; None if there is none that can be used."""
    snapshot = snapshots.load(ledger.recorder, encounter, fold_version(), older=older)
    if snapshot is None:
        return None
    try:
        start = thaw(snapshot.state)
    except ValueError:
        return None  # whatever this is, the events say what is so
    return Resumed(snapshot, start, ledger.read_after(encounter, snapshot.seq, snapshot.hash))
