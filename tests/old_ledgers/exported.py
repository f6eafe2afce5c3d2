"""The fights in an export, each with the past that it shares."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ledger.events import EncounterOpened, Event, Forked
from ledger.registry import decode

Row = tuple[str, str]
"""The stored name of an event and its content."""


def fights_in(lines: Iterable[bytes]) -> dict[str, list[Row]]:
    """The rows of every encounter by its name; a fork begins with those of its parent."""
    by_id: dict[str, list[Row]] = {}
    names: dict[str, str] = {}
    for line in lines:
        row: dict[str, Any] = json.loads(line)
        stored, content = row["name"], row["state"]
        event = decode(stored, content.encode())
        if isinstance(event, EncounterOpened | Forked):
            names[row["encounter"]] = event.name
            by_id[row["encounter"]] = by_id[str(event.parent)][: event.at] if isinstance(event, Forked) else []
        by_id[row["encounter"]].append((stored, content))
    return {names[encounter]: rows for encounter, rows in by_id.items()}


def read(rows: Iterable[Row]) -> list[Event]:
    return [decode(name, content.encode()) for name, content in rows]
