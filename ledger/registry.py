"""Convert stored bytes to events and back: the kinds by name, upcasts of old versions, and the hash chain.

The stored name of an event is its kind or, from the second schema version on, `kind.VERSION`. To change the shape of a
kind: raise its `class_version`, add an upcast from the previous version to `UPCASTS`, add a sample of the new version
to tests/samples and keep the old samples, and record a new generation in tests/old_ledgers.

A recorded event never changes; its payload is upcast each time it is read. A field that an old version did not have is
set to `UNRECORDED`. The hash of an event covers its content and the hash of the event before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from typing import TypeVar
from uuid import UUID

from pydantic import ValidationError
from pydantic_core import from_json

from ledger.errors import DatabaseProblem, UnknownKind
from ledger.events import FAMILIES, UNRECORDED, Data, Event

Upcast = Callable[[Data], Data]


def _source_of_change(payload: Data) -> Data:
    """Version 2 says in a field what a resource was spent on; version 1 said so only in prose."""
    return {**payload, "source": UNRECORDED}


def _chain_of_roll(payload: Data) -> Data:
    """Version 2 says which chain a roll belongs to."""
    return {**payload, "chain": UNRECORDED}


def _roll_without_number(payload: Data) -> Data:
    """Version 3 gives committed rolls their own numbers. Before, their faces were derived from the event's seq."""
    return payload


def _everything_recorded_again(payload: Data) -> Data:
    """Version 1 recorded everything after a correction again, so it needed no places."""
    return payload


_WITH_BONUSES = ("skirmish:condition:round_defense", "skirmish:condition:next_attacks")


def _condition_without_prose(payload: Data) -> Data:
    """Version 1 kept the reason for each bonus in the condition's data, which must not contain prose."""
    if payload["condition"] not in _WITH_BONUSES:
        return payload
    data = payload.get("data", {})
    bonuses = [{key: value for key, value in bonus.items() if key != "reason"} for bonus in data.get("bonuses", ())]
    return {**payload, "data": {**data, "bonuses": bonuses}}


UPCASTS: dict[tuple[str, int], Upcast] = {
    ("amended", 1): _everything_recorded_again,
    ("condition_applied", 1): _condition_without_prose,
    ("resource_changed", 1): _source_of_change,
    ("rolled", 1): _chain_of_roll,
    ("rolled", 2): _roll_without_number,
    ("undone", 1): _everything_recorded_again,
}
"""Upcasts by kind and old version; each returns the payload of the next version."""


GENESIS = bytes(32)
"""The hash before the first event of an encounter."""


def chained_hash(previous: bytes, encounter: UUID, seq: int, name: str, state: bytes) -> bytes:
    """The hash of an event. It covers the columns too, so that a row cannot be moved to another place."""
    return sha256(previous + encounter.bytes + seq.to_bytes(8, "big") + name.encode() + b"\0" + state).digest()


E = TypeVar("E", bound=Event)

KINDS: dict[str, type[Event]] = {
    cls.model_fields["kind"].default: cls for family in FAMILIES.values() for cls in family
}


def stored_name(kind: str, version: int) -> str:
    return kind if version == 1 else f"{kind}.{version}"


def stored_names(kinds: Iterable[type[Event]]) -> list[str]:
    """Every name under which events of these kinds may be stored."""
    return [
        stored_name(cls.model_fields["kind"].default, version)
        for cls in kinds
        for version in range(1, cls.class_version + 1)
    ]


def encode(event: Event) -> tuple[str, bytes]:
    """The stored name and the bytes of an event. Fields that are None are omitted, which means the same."""
    cls = type(event)
    return _CURRENT_NAME[cls], cls.__pydantic_serializer__.to_json(event, exclude_none=True)


def decode(name: str, state: bytes) -> Event:
    decoder = _DECODERS.get(name)
    if decoder is None:
        raise UnknownKind(name)
    try:
        return sharing_fields(decoder(state))
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # an upcast may meet malformed data
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else f"{type(error).__name__}: {error}"
        raise DatabaseProblem(
            "ledger/unreadable-event",
            f"An event of the kind {name!r} in the ledger cannot be read: {why}.",
            kind=name,
            reason=why,
        ) from error


def sharing_fields(event: E) -> E:
    """Make an event share one set of given fields with all others of its kind.

    Pydantic stores this set in each object, where it takes a third of an event's memory. Nothing here uses it, and
    events are frozen.
    """
    object.__setattr__(event, "__pydantic_fields_set__", _FIELDS[type(event)])
    return event


_FIELDS = {cls: set(cls.model_fields) for cls in KINDS.values()}


def _decode_current(cls: type[Event], state: bytes) -> Event:
    """The validator is looked up each time, because it is built on first use (`ledger.events.base.CONFIG`)."""
    event: Event = cls.__pydantic_validator__.validate_json(state)
    return event


def decode_old(cls: type[Event], kind: str, version: int, state: bytes) -> Event:
    return cls.model_validate(upcast(cls, kind, version, from_json(state)))


def upcast(cls: type[Event], kind: str, version: int, payload: Data) -> Data:
    """A payload of an old version, converted to the current version."""
    for step in range(version, cls.class_version):
        payload = UPCASTS[kind, step](payload)
    return payload


_CURRENT_NAME = {cls: stored_name(kind, cls.class_version) for kind, cls in KINDS.items()}
_DECODERS: dict[str, Callable[[bytes], Event]] = {
    stored_name(kind, version): (
        partial(_decode_current, cls) if version == cls.class_version else partial(decode_old, cls, kind, version)
    )
    for kind, cls in KINDS.items()
    for version in range(1, cls.class_version + 1)
}
