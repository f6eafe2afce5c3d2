"""How the events of a declaration that was resolved again differ from the recorded ones."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from combatlog.rules.engine.corrections.plan import EventChange
from ledger.events import UNRECORDED, Event, differing_fields, same_meaning

_PLACE = frozenset({"encounter", "seq", "recorded_at", "declaration", "cause", "command", "window", "grant", "drawn"})
"""Where an event stands, not what it says: the same event in another place is the same."""

_STEP = (
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
)
"""What makes two events the same step of a resolution, whatever their numbers and words."""


def changed_fields(change: EventChange) -> dict[str, tuple[Any, Any]]:
    """Which fields of an event mean something else now, with both values."""
    if change.recorded is None or change.now is None:
        return {}
    return differing_fields(change.recorded, change.now, ignoring=_PLACE)


def compare(recorded: Sequence[Event], now: Sequence[Event]) -> list[EventChange]:
    """The events that differ, in order. Events of one kind that stand opposite each other are one changed event.

    Only meaning is compared: an event that says the same in other words has not changed.
    """
    if len(recorded) == len(now) and all(map(_is_same, recorded, now)):
        return []
    unsaid = _unsaid(recorded)
    matcher = SequenceMatcher(
        None, [_key(event, unsaid) for event in recorded], [_key(event, unsaid) for event in now], autojunk=False
    )
    changes: list[EventChange] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(recorded[old_start:old_end], now[new_start:new_end], strict=True)
            changes += [EventChange(old, new) for old, new in pairs if not _is_same(old, new)]
        else:
            changes += [EventChange(event, None) for event in recorded[old_start:old_end]]
            changes += [EventChange(None, event) for event in now[new_start:new_end]]
    return changes


def _is_same(recorded: Event, now: Event) -> bool:
    return same_meaning(recorded, now, ignoring=_PLACE)


def _unsaid(recorded: Sequence[Event]) -> set[tuple[str, str]]:
    """The fields, by kind, that the versions on record could not say: they cannot tell the steps apart."""
    return {(event.kind, name) for event in recorded for name in _STEP if getattr(event, name, None) == UNRECORDED}


def _key(event: Event, unsaid: set[tuple[str, str]]) -> tuple[str, ...]:
    told = [str(getattr(event, name, "")) for name in _STEP if (event.kind, name) not in unsaid]
    return (event.kind, *told)
