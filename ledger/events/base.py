"""What all events share: the envelope, the value types, the roles of texts, and the meaning without its wording.

The meaning of an event is the part that is compared, matched and decided on.
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
"""Fields to leave out, as pydantic takes them: True for a whole field, a nested one for a part of it."""

_NOTHING: MappingProxyType[str, Any] = MappingProxyType({})


def meaning(event: Event, mode: Literal["python", "json"] = "python") -> Data:
    """The fields of an event without its prose, at every depth."""
    return event.model_dump(mode=mode, exclude=prose_of(type(event)) or None)


def same_meaning(recorded: Event, now: Event, *, ignoring: Collection[str] = ()) -> bool:
    """Whether an event on record says the same as one resolved now, in whatever words."""
    return recorded == now or (type(recorded) is type(now) and not differing_fields(recorded, now, ignoring=ignoring))


def differing_fields(recorded: Event, now: Event, *, ignoring: Collection[str] = ()) -> dict[str, tuple[Any, Any]]:
    """The fields in which two events of one kind differ in meaning, with both values.

    What the version on record could not say is left out: nobody knows whether it differs.
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
    """The prose fields of a model and of the values in it, as a tree."""
    found = {name: _prose_in(field.annotation, field.metadata) for name, field in model.model_fields.items()}
    return {name: excluded for name, excluded in found.items() if excluded}


def _prose_in(annotation: Any, metadata: Any = ()) -> Any:
    """True for prose, a tree for what has some in it, and nothing for the rest."""
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
"""A square of the grid as column and row, both from 0. Never an event's number."""

Data = dict[str, Any]
"""A ruleset's own data, opaque to the ledger: anything that JSON can hold. It holds keys and numbers, never prose."""


@dataclass(frozen=True, slots=True)
class TextRole:
    """What a text in an event is for. Every text field has exactly one role, given by its type."""

    name: str
    meaning: str


PROSE = TextRole("prose", "for people to read; never compared, matched or decided on, so its wording may change")

Prose = Annotated[str, PROSE]
"""Human-readable text: a reason, an explanation, a sentence. It says nothing that the other fields do not say.

No code compares, matches or parses prose, so its wording can be improved at any time and old fights still verify.
Whatever code has to know gets a field of its own. See `ledger.events.base`.
"""

Ref = Annotated[str, TextRole("ref", "what something is, as `ruleset:type:name`: `dnd5e:condition:raging`")]
"""What something is, as `ruleset:type:name`, for example `dnd5e:condition:raging`."""

Key = Annotated[str, TextRole("key", "a stable identifier that code compares: the name of a pool, a chain or a moment")]
"""A stable identifier. It may read like words (`death save`), but it is not text: changing it changes the meaning."""

Who = Annotated[str, TextRole("combatant", "the id of a combatant in this encounter; `gm` where none is meant")]
"""The id of a combatant in this encounter, or `gm`."""

Name = Annotated[str, TextRole("name", "a name that people or their sheets gave, taken as it is")]
"""A name that people or their sheets gave: of an encounter, a weapon, a card, a player."""

Notation = Annotated[str, TextRole("notation", "text with a grammar that code reads: dice, a row of the map")]
"""Text with a grammar: dice notation, a dice setting, a version, a row of the map."""

Hex32 = Annotated[
    str, Field(pattern=r"^[0-9a-f]{64}$"), TextRole("hex", "thirty-two bytes in hexadecimal: a hash or a seed")
]
"""Thirty-two bytes in hexadecimal: a hash or a seed."""

UNRECORDED = "core:unknown:unrecorded"
"""Stands in a field that the stored version of an event did not have.

An upcast puts it there, because nobody can know what would have been recorded. It is no claim, so it is never
compared: an old event agrees with whatever the rules put in such a field today.
"""


CONFIG = ConfigDict(frozen=True, extra="forbid", defer_build=True)
"""The validator of a kind is built when the kind is first met: a command meets few, and building all delays it."""


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
    by: Name = Field(default="system", description="who said it: `gm`, a player, a combatant, or `system`")

    @property
    def originator_id(self) -> UUID:
        return self.encounter

    @property
    def originator_version(self) -> int:
        return self.seq

    def to_json(self) -> Data:
        """As documents have it: a field without a value is absent."""
        return self.model_dump(mode="json", exclude_none=True)


class Commanded(Event):
    """An event that a person's command led to directly.

    The command's id makes a repeated command harmless: the fold knows which ones have been carried out.
    """

    command: UUID = Field(description="id of the command; another command with the same id does nothing")


class Gauge(Value):
    """A quantity that may have an upper bound: hit points, an action, movement."""

    current: int = Field(description="how much there is")
    maximum: int | None = Field(default=None, description="how much there can be; absent: no upper bound")


class Controller(StrEnum):
    """Who decides for a combatant: players are asked for their reactions, the GM's creatures follow their policies."""

    PLAYER = "player"
    GM = "gm"


class Policy(StrEnum):
    """What a combatant does with an offered reaction if nobody answers for it."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"
    WHEN_USEFUL = "when useful"
