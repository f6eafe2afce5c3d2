"""Events as version 1 of their kinds stored them: what the upcasts add is left out, what they drop is there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from combatlog.testing import Drill
from ledger.events import Data, Event
from ledger.registry import KINDS, decode, encode


def _without(field: str) -> Callable[[Data], Data]:
    return lambda payload: {key: value for key, value in payload.items() if key != field}


def _with_reasons(payload: Data) -> Data:
    """Bonuses of a skirmish had the reason of each in their data."""
    for bonus in payload["data"].get("bonuses", ()):
        bonus["reason"] = bonus["source"].rsplit(":", 1)[1].replace("_", " ").title()
    return payload


def _with_words(payload: Data) -> Data:
    """Outcomes kept by a ruling had the words of the events they came from, and no version."""
    for outcome in payload["options"].get("outcomes", ()):
        del outcome["version"]
        outcome["fields"] = {**BEFORE.get(outcome["kind"], dict)(outcome["fields"]), "why": "as it was"}
    return payload


BEFORE: dict[str, Callable[[Data], Data]] = {
    "condition_applied": _with_reasons,
    "declared": _with_words,
    "resource_changed": _without("source"),
    "rolled": _without("chain"),
}


def as_version_1(events: Iterable[Event]) -> list[Event]:
    """The events as they are read if they had been recorded before any kind had a second version."""
    return [_read_back(event) for event in events]


def _read_back(event: Event) -> Event:
    payload: Data = json.loads(encode(event)[1])
    old = BEFORE.get(event.kind, dict)(payload)
    assert KINDS[event.kind].class_version == 1 or old is not payload or event.kind == "condition_applied"
    return decode(event.kind, json.dumps(old).encode())


def recorded_before(drill: Drill) -> Drill:
    """The same fight, as if it had been recorded in version 1 so far."""
    drill.fight = type(drill.fight)(as_version_1(drill.fight.events))
    return drill
