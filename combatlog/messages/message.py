"""The base of every message: the types of fields, the speaker, and how Python values become a message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import to_json

from combatlog.messages.rights import Right
from ledger.events import Data, Face, Position

if TYPE_CHECKING:
    from combatlog.rules.engine import commands as engine

Name = Annotated[str, Field(min_length=1, max_length=200)]
Who = Annotated[Name, Field(json_schema_extra={"format": "combatant"})]
"""A combatant, by its id or its name. The format tells forms what to offer."""
Count = Annotated[int, Field(ge=1, le=2**53)]
Seconds = Annotated[float, Field(gt=0, le=3600)]
Amount = Annotated[int, Field(ge=-(10**6), le=10**6)]
Prose = Annotated[str, Field(max_length=2000)]
Dice = Annotated[tuple[Face, ...] | None, Field(max_length=1000, description="faces rolled at the table, in order")]
AT = {"format": "square"}
Square = Annotated[Position | None, Field(description="column and row, both from 0", json_schema_extra=AT)]

_M = TypeVar("_M", bound="Message")
_SAID_LAST = ("impossible", "replies", "later_replies", "dice", "by")
"""Fields that many messages have, and that come last."""


def example(**fields: Any) -> ConfigDict:
    """An example of such a message, for the OpenAPI document."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class Message(BaseModel):
    """Unknown fields are refused, so that a misspelt one does not go unnoticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    right: ClassVar[Right] = Right.DIRECT
    """The right that a seat needs to send it."""
    can_be_tried: ClassVar[bool] = True
    """Whether a dry run can show its outcome."""
    formerly: ClassVar[Mapping[str, str]] = {}
    """Old names of fields, understood until release 0.3, with the names they have now."""

    def __init__(self, *words: Any, **fields: Any) -> None:
        """The first fields may be given without names, in the order in which people say them."""
        given = dict(zip(type(self).fields_in_order(), words, strict=False)) | fields
        if len(words) > len(type(self).fields_in_order()) or len(given) < len(words) + len(fields):
            from combatlog.rules.engine.refusal import Refusal

            raise Refusal("message/words", f"{type(self).__name__} takes {', '.join(type(self).fields_in_order())}.")
        try:
            super().__init__(**given)
        except ValidationError as error:
            from combatlog.rules.engine.options_and_validation import refused

            raise refused(type(self), error, "message/invalid", _in(type(self))) from error

    # pydantic itself builds messages that are part of other values, and collects every error.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def fields_in_order(cls) -> list[str]:
        """The fields in the order in which people say them."""
        said_first = [name for name in cls.model_fields if name not in (*_SAID_LAST, "correction")]
        return [*said_first, *(name for name in _SAID_LAST if name in cls.model_fields)]

    @classmethod
    def asked_for(cls) -> list[str]:
        """The fields that a form asks for, in that order."""
        return [name for name in cls.fields_in_order() if name not in _SAID_LAST]

    @model_validator(mode="before")
    @classmethod
    def _renamed(cls, given: Any) -> Any:
        if not cls.formerly or not isinstance(given, Mapping):
            return given
        return {
            cls.formerly.get(name, name) if cls.formerly.get(name) not in given else name: value
            for name, value in given.items()
        }

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """From Python's values: see `message`."""
        return message(cls, **fields)

    @classmethod
    def called(cls) -> str:
        """Its name for programs, such as `end_turn`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def summary(cls) -> str:
        """Its description in one line."""
        return (cls.__doc__ or "").partition("\n")[0]

    def request(self) -> tuple[str, Data]:
        """Its address below that of a fight, and its body; fields can be in the address."""
        path: str = getattr(type(self), "path")  # noqa: B009
        said = self.as_json()
        return path.format(**said), {name: value for name, value in said.items() if f"{{{name}}}" not in path}

    def as_json(self) -> Data:
        """The fields that differ from their defaults, for a request or the record."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def command(self, key: UUID) -> UUID:
        """The id of the command that this message is under a key.

        Its first half follows from the key, its second half from the message. So the same key with another message is
        noticed wherever the ids of commands are known, without a record of keys.
        """
        from combatlog.rules.engine.commands import command_under

        return command_under(key, to_json([type(self).__name__, self.as_json()]))


By = Annotated[Name | None, Field(description="who says it, if not this seat; only a GM can set it")]


class AttributedMessage(Message):
    by: By = None


class ReactionAnswer(Message):
    """An answer to a reaction that is offered."""

    model_config = example(who="osric", reaction="protection")
    formerly = {"reactor": "who"}

    who: Annotated[Who, Field(description="the combatant that is asked", examples=["osric"])]
    reaction: Annotated[
        str | None, Field(max_length=200, description="the reaction that is chosen; null lets it pass")
    ] = None
    options: Annotated[Data, Field(description="other options of the reaction")] = Field(default_factory=dict)
    by: By = None

    def to_engine(self) -> engine.Reply:
        from combatlog.rules.engine import commands as engine

        return engine.Reply(reactor=self.who, reaction=self.reaction, options=self.options, by=self.by)


def _one_target(given: Any) -> Any:
    """Python may name a single target by itself."""
    return [given] if isinstance(given, str) else given


def _listed_replies(given: Any) -> Any:
    """Python may give answers by reactor, one reaction or several in order, or as the engine's own."""

    if isinstance(given, Mapping):
        return [
            {"who": reactor, "reaction": reaction}
            for reactor, reactions in given.items()
            for reaction in ([reactions] if reactions is None or isinstance(reactions, str) else reactions)
        ]
    if isinstance(given, Sequence) and not isinstance(given, str):
        return [
            one.model_dump(include={"reactor", "reaction", "options", "by"}) if hasattr(one, "reactor") else one
            for one in given
        ]
    return given


OneOrSeveral = BeforeValidator(_one_target)
Names = Annotated[tuple[Name, ...], Field(max_length=100), OneOrSeveral]
Targets = Annotated[tuple[Who, ...], Field(max_length=100), OneOrSeveral]
"""In Python, a single value need not be in a list."""
Replies = Annotated[
    tuple[ReactionAnswer, ...],
    Field(max_length=100, description="answers that are known beforehand"),
    BeforeValidator(_listed_replies),
]


def checked_key(command_id: Any) -> UUID | None:
    """The id that makes a command safe to repeat; it has to be a UUID."""
    if command_id is None or isinstance(command_id, UUID):
        return command_id
    with suppress(ValueError):
        return UUID(str(command_id))
    from combatlog.rules.engine.refusal import Refusal

    raise Refusal("message/invalid", "The field command_id is not valid: it must be a UUID.", field="command_id")


def message(kind: type[_M], /, **fields: Any) -> _M:
    """A message from Python values. None means not given; the refusal of a wrong value names the field."""
    return kind(**{name: value for name, value in fields.items() if value is not None})


def _in(kind: type[Message]) -> str:
    return f"In this {kind.called().replace('_', ' ')}, the field"
