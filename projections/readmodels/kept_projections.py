"""The encounters that a process has projected, kept for their next events: their past need not be read again."""

from __future__ import annotations

from collections import OrderedDict
from uuid import UUID

from ledger.store import Ledger
from projections.readmodels.row_projection import RowProjection, past_of

FEW = 20_000
MANY = 250_000
"""Events in memory, at about two kilobytes each: a thousand fights of usual length."""


class KeptProjections:
    """As many as have a number of events between them; those that were not used for the longest time go first."""

    def __init__(self, most_events: int = FEW) -> None:
        self._most = most_events
        self._kept: OrderedDict[UUID, RowProjection] = OrderedDict()
        self._events = 0

    def take(self, ledger: Ledger, encounter: UUID, first: int) -> RowProjection:
        """The encounter up to its first new event. Whoever takes it gives it back with `keep`."""
        known = self._kept.pop(encounter, None)
        if known is not None:
            self._events -= known.seq
            if known.seq < first - 1:  # another process has brought in what lies between
                known.skip(ledger.recorder.select_rows(encounter, after=known.seq, upto=first - 1))
            if known.seq == first - 1:
                return known
        return RowProjection(encounter, past_of(ledger, encounter, first))

    def keep(self, projection: RowProjection) -> None:
        if projection.is_closed:
            return
        self._kept[projection.encounter] = projection
        self._events += projection.seq
        while self._events > self._most:
            _, oldest = self._kept.popitem(last=False)
            self._events -= oldest.seq

    def forget(self) -> None:
        """What they say was not written after all."""
        self._kept.clear()
        self._events = 0

    def __len__(self) -> int:
        return len(self._kept)
