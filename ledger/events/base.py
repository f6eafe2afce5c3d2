"""What all events share: the envelope, the value types, the roles of texts, and the meaning of an event.

The meaning is what code compares and decides on: all fields except prose.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

Excluded = dict[str, Any]
"""Fields to exclude, in pydantic's format: True for a whole field, a nested dict for parts of it."""

_NOTHING: MappingProxyType[str, Any] = MappingProxyType({})


def meaning(event: Event, mode: Literal["python", "json"] = "python") -> Data:
    """The fields of an event without its prose, at every depth."""
    return event.model_dump(mode=mode, exclude=prose_of(type(event)) or None)


def same_meaning(recorded: Event, now: Event, *, ignoring: Collection[str] = ()) -> bool:
    """Whether a recorded event and one resolved now mean the same, whatever their wording."""
    return recorded == now or (type(recorded) is type(now) and not differing_fields(recorded, now, ignoring=ignoring))


def differing_fields(recorded: Event, now: Event, *, ignoring: Collection[str] = ()) -> dict[str, tuple[Any, Any]]:
    """The fields in which two events of one kind differ in meaning, with both values.

    Fields that the recorded version did not have are skipped, because their values are unknown.
    """
    there = now.__dict__
    suspects = [
        name
        for name, value in recorded.__dict__.items()
        if value != there[name] and value != UNRECORDED and name not in ignoring
    ]
    if not suspects:
        return {}
    was, is_now = meaning(recorded), meaning(now)
    return {name: (was[name], is_now[name]) for name in suspects if name in was and was[name] != is_now[name]}


@cache
def prose_of(model: type[BaseModel]) -> Excluded:
    """The prose fields of a model and of its nested values, as a tree."""
    found = {name: _prose_in(field.annotation, field.metadata) for name, field in model.model_fields.items()}
    return {name: excluded for name, excluded in found.items() if excluded}


def _prose_in(annotation: Any, metadata: Any = ()) -> Any:
    """True for prose, a tree for types that contain prose, and an empty mapping for all others."""
    if PROSE in metadata:
        return True
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return prose_of(annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _prose_in(arguments[0], annotation.__metadata__)
    inner = next((found for argument in arguments if (found := _prose_in(argument))), _NOTHING)
    return {"__all__": inner} if inner and origin in (tuple, dict) else inner


Position = tuple[int, int]
"""A square of the grid as column and row, both from 0. Never the number of an event."""

Data = dict[str, Any]
"""A ruleset's own data, opaque to the ledger: any JSON object. It contains keys and numbers, never prose."""


@dataclass(frozen=True, slots=True)
class TextRole:
    """The purpose of a text in an event. Every text field has exactly one role, given by its type."""

    name: str
    meaning: str


PROSE = TextRole("prose", "for people to read; never compared, matched or decided on, so its wording may change")

Prose = Annotated[str, PROSE]
"""Human-readable text: a reason, an explanation, a sentence. It adds no information to the other fields.

No code compares, matches or parses prose, so its wording can be improved at any time and old fights still verify.
Anything that code has to know gets a field of its own.
"""

Ref = Annotated[str, TextRole("ref", "what something is, as `ruleset:type:name`: `dnd5e:condition:raging`")]
"""What something is, as `ruleset:type:name`, for example `dnd5e:condition:raging`."""

Key = Annotated[str, TextRole("key", "a stable identifier that code compares: the name of a pool, a chain or a moment")]
"""A stable identifier. It may read like words (`death save`), but it is not text: changing it changes the meaning."""

Who = Annotated[str, TextRole("combatant", "the id of a combatant in this encounter, or `gm`")]
"""The id of a combatant in this encounter, or `gm`."""

Name = Annotated[str, TextRole("name", "a name given by people or by a sheet, kept as it is")]
"""A name given by people or by a sheet: of an encounter, a weapon, a card, a player."""

Notation = Annotated[str, TextRole("notation", "text with a grammar that code reads: dice, a row of the map")]
"""Text with a grammar: dice notation, a dice setting, a version, a row of the map."""

Hex32 = Annotated[
    str, Field(pattern=r"^[0-9a-f]{64}$"), TextRole("hex", "thirty-two bytes in hexadecimal: a hash or a seed")
]
"""Thirty-two bytes in hexadecimal: a hash or a seed."""

UNRECORDED = "core:unknown:unrecorded"
"""The value of a field that the stored version of an event did not have.

An upcast sets it, because the real value was never recorded. It is never compared: an old event agrees with any value
that the rules put in such a field today.
"""


CONFIG = ConfigDict(frozen=True, extra="forbid", defer_build=True)
"""The validator of a kind is built on first use: a command needs only a few, and building all of them takes time."""


class Value(BaseModel):
    """A part of an event's payload."""

    model_config = CONFIG


class Event(BaseModel):
    """The envelope of every event."""

    model_config = CONFIG

    class_version: ClassVar[int] = 1
    """The schema version of this kind; raise it together with an upcast (see `ledger.registry`)."""
    written_by: ClassVar[str]
    read_by: ClassVar[str]

    kind: Key = Field(description="what happened; tells the kinds of events apart")
    encounter: UUID = Field(description="the encounter this event belongs to")
    seq: int = Field(ge=1, description="the number of this event in its encounter, from 1 and without gaps")
    recorded_at: datetime = Field(description="when the command that led to it was carried out (UTC)")
    declaration: int = Field(ge=1, description="seq of the declaration it belongs to: its causal group")
    cause: int | None = Field(default=None, description="seq of the event that directly caused it")
    round: int = Field(default=0, description="the round it happened in; 0 before the first")
    turn: Who | None = Field(default=None, description="whose turn it was; absent: no turn was in progress")
    by: Name = Field(default="system", description="who it comes from: `gm`, a player, a combatant, or `system`")

    @property
    def originator_id(self) -> UUID:
        return self.encounter

    @property
    def originator_version(self) -> int:
        return self.seq

    def to_json(self) -> Data:
        """The event as JSON; fields without a value are omitted."""
        return self.model_dump(mode="json", exclude_none=True)


class Commanded(Event):
    """An event that results directly from a person's command.

    The command's id makes a repeated command harmless: the fold knows which commands have been carried out.
    """

    command: UUID = Field(description="id of the command; a second command with the same id does nothing")


class Gauge(Value):
    """A quantity that may have an upper bound: hit points, an action, movement."""

    current: int = Field(description="the current amount")
    maximum: int | None = Field(default=None, description="the upper bound; absent: none")


class Controller(StrEnum):
    """Who controls a combatant: players are asked about reactions, the GM's creatures follow their policies."""

    PLAYER = "player"
    GM = "gm"


class Policy(StrEnum):
    """How a combatant answers an offered reaction by default."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"
    WHEN_USEFUL = "when useful"
