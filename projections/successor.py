"""Which event something is now that a correction recorded again under another number."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ledger.events import Declared, Event

UPHOLD = "core:ruling:uphold"


def successor(events: Sequence[Event], fallen: Collection[int], seq: int) -> int | None:
    """The event that stands for one that was taken back; None if it was not recorded again.

    `events` is the whole fight; `fallen` are the declarations in it that do not stand. Of an event that did not happen
    again, it is the declaration.
    """
    asked = events[seq - 1]
    declared = _stands_for(events, fallen, events[asked.declaration - 1])
    if declared is None:
        return None
    place = _of_kind(events, asked.declaration, asked.kind).index(seq)
    now = _of_kind(events, declared.seq, asked.kind)
    return now[place] if place < len(now) else declared.seq


def _stands_for(events: Iterable[Event], fallen: Collection[int], old: Event) -> Declared | None:
    """What is recorded again keeps its command; what is kept as a ruling names what it upholds."""
    if not isinstance(old, Declared):
        return None
    declared = [event for event in events if isinstance(event, Declared)]
    versions = {event.seq for event in declared if event.command == old.command}
    found = (event for event in declared if event.seq in versions or _upholds(event) in versions)
    return next((event for event in found if event.seq not in fallen), None)


def _upholds(declared: Declared) -> object:
    return declared.options.get("upholds") if declared.action == UPHOLD else None


def _of_kind(events: Iterable[Event], declaration: int, kind: str) -> list[int]:
    return [event.seq for event in events if event.declaration == declaration and event.kind == kind]
