"""How far a replica is behind, in words."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from projections.phrases import counted

if TYPE_CHECKING:
    from ledger.replica import ReplicaLag


def lag_in_words(lag: ReplicaLag) -> str:
    """A sentence; none if the replica has everything."""
    if lag.events is None:
        until = f", which it received until {lag.until.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if lag.until else ""
        why = "The primary server cannot be reached" if lag.is_primary_named else "No primary server is named"
        return f"{why}; this is what the replica has{until}."
    if not lag.events:
        return ""
    seconds = counted(round(lag.seconds or 0), "second")
    return f"The replica is {counted(lag.events, 'event')} behind ({lag.bytes:,} bytes, {seconds})."
