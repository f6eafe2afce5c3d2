"""How the events of a declaration that was resolved again differ from those on record."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from ledger.events import Data, Event
from rules.engine.corrections.plan import EventChange

_PLACE = {"encounter", "seq", "recorded_at", "declaration", "cause", "command", "window", "grant"}
"""Where an event stands, not what it says: the same event in another place is the same."""


def content(event: Event) -> Data:
    return event.model_dump(exclude=_PLACE)


def changed_fields(change: EventChange) -> dict[str, tuple[Any, Any]]:
    """Which fields of an event are different, with both values."""
    if change.recorded is None or change.now is None:
        return {}
    old, new = content(change.recorded), content(change.now)
    return {name: (old.get(name), new.get(name)) for name in new if old.get(name) != new.get(name)}


def compare(recorded: Sequence[Event], now: Sequence[Event]) -> list[EventChange]:
    """The events that differ, in order. Events of one kind that stand opposite each other are one changed event."""
    old, new = [content(event) for event in recorded], [content(event) for event in now]
    if old == new:
        return []
    matcher = SequenceMatcher(None, [_key(event) for event in recorded], [_key(event) for event in now], autojunk=False)
    changes: list[EventChange] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(range(old_start, old_end), range(new_start, new_end), strict=True)
            changes += [EventChange(recorded[i], now[j]) for i, j in pairs if old[i] != new[j]]
        else:
            changes += [EventChange(event, None) for event in recorded[old_start:old_end]]
            changes += [EventChange(None, event) for event in now[new_start:new_end]]
    return changes


def _key(event: Event) -> tuple[str, ...]:
    """What makes two events the same step of a resolution, whatever their numbers."""
    about = (
        "purpose",
        "roller",
        "source",
        "owner",
        "resource",
        "target",
        "condition",
        "reactor",
        "moment",
        "combatant",
        "why",
    )
    return (event.kind, *(str(getattr(event, name, "")) for name in about))
