"""Events as a service sends them: whole, or as a seat sees them that does not see everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import ValidationError, from_json, to_json

from ledger.errors import Problem, UnknownKind
from ledger.events import Event
from ledger.registry import KINDS, decode, stored_name


def event_in(line: bytes) -> Event:
    """The service sends every event as its newest version has it."""
    kind = str(from_json(line).get("kind"))
    if kind not in KINDS:
        raise UnknownKind(kind)
    try:
        return decode(stored_name(kind, KINDS[kind].class_version), line)
    except Problem:
        if (seen := _in_part(kind, line)) is not None:
            return seen
        raise


def events_in(lines: Iterable[bytes]) -> list[Event]:
    return [event_in(line) for line in lines]


def events_of(data: Iterable[Mapping[str, Any]]) -> list[Event]:
    return [event_in(to_json(one)) for one in data]


def _in_part(kind: str, line: bytes) -> Event | None:
    """An event of which a part is not seen; None if it is not such a one either."""
    from projections.views.seen import seen_forms

    for cls in seen_forms().get(kind, ()):
        try:
            return cls.model_validate_json(line)
        except ValidationError:
            continue
    return None
