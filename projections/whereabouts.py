"""What became of an effect, by its name or by that of the condition it brings: who had it, since when, how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ledger.events import ConditionApplied, ConditionRemoved, Declared, Event


class Stay(NamedTuple):
    """How long somebody had a condition."""

    began: ConditionApplied
    ended: ConditionRemoved | None
    """None: it was still there at the end of the events that were looked at."""


def stays(events: Iterable[Event], name: str) -> list[Stay]:
    """For each combatant that ever had it, the last time. `events` are those that count, in the order of the fight."""
    found: dict[tuple[str, str], Stay] = {}
    for event in events:
        if isinstance(event, ConditionApplied) and name in (key(event.condition), key(event.source)):
            before = found.get((event.target, event.condition))
            if before is None or before.ended is not None:
                found[event.target, event.condition] = Stay(event, None)
        elif isinstance(event, ConditionRemoved) and (stay := found.get((event.target, event.condition))):
            found[event.target, event.condition] = Stay(stay.began, stay.ended or event)
    return list(found.values())


def declarations_of(events: Sequence[Event], name: str) -> list[Declared]:
    """Where something of this name was declared, itself or as an option: a spell that is cast, an item that is used."""
    return [
        event
        for event in events
        if isinstance(event, Declared)
        and (key(event.action) == name or name in [key(str(value)) for value in event.options.values()])
    ]


def key(ref: str) -> str:
    """The last part of a ref, or a name that somebody typed: `dnd5e:spell:hold_person` is `hold_person`."""
    return ref.rsplit(":", 1)[-1].strip().lower().replace(" ", "_").replace("-", "_")
