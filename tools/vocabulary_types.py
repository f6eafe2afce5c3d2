"""The types of fields as an outsider reads them: `list of ref` rather than `tuple[Annotated[str, ...], ...]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import Enum
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ledger.events import FAMILIES, Data, Event, Position, TextRole

_NAMES: dict[Any, str] = {
    int: "`integer`",
    bool: "`boolean`",
    UUID: "`uuid`",
    datetime: "`timestamp`",
    Position: "`position`",
    Data: "`data`",
}


def type_of(field: FieldInfo) -> str:
    role = next((mark for mark in field.metadata if isinstance(mark, TextRole)), None)
    return f"`{role.name}`" if role else _named(field.annotation)


def _named(annotation: Any) -> str:
    if annotation in _NAMES:
        return _NAMES[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | Enum):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return next(f"`{mark.name}`" for mark in annotation.__metadata__ if isinstance(mark, TextRole))
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin is tuple:
        return f"list of {_named(arguments[0])}"
    if origin is dict:
        return f"{_named(arguments[1])} by {_named(arguments[0])}"
    if not arguments:
        raise TypeError(f"{annotation!r} has no name for readers of docs/events.md")
    return " or ".join(_named(argument) for argument in arguments if argument is not NoneType)


# What there is


def all_models() -> list[type[BaseModel]]:
    """The envelope, every kind of event, and every value in them, each once."""
    found: dict[type[BaseModel], None] = {Event: None}
    for cls in (cls for family in FAMILIES.values() for cls in family):
        found[cls] = None
        found.update(dict.fromkeys(_values_of(cls)))
    return list(found)


def _values_of(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for part in _types_in([model]):
        if isinstance(part, type) and issubclass(part, BaseModel):
            yield part
            yield from _values_of(part)


def values_in(models: Iterable[type[BaseModel]]) -> list[type[BaseModel]]:
    return sorted((model for model in models if not issubclass(model, Event)), key=lambda model: model.__name__)


def enums_in(models: Iterable[type[BaseModel]]) -> list[type[Enum]]:
    found = {part for part in _types_in(models) if isinstance(part, type) and issubclass(part, Enum)}
    return sorted(found, key=lambda enum: enum.__name__)


def _types_in(models: Iterable[type[BaseModel]]) -> Iterator[Any]:
    for model in models:
        for field in model.model_fields.values():
            yield from _flattened(field.annotation)


def _flattened(annotation: Any) -> Iterator[Any]:
    yield annotation
    for argument in get_args(annotation):
        yield from _flattened(argument)


def _roles() -> list[TextRole]:
    """Every role that a text has somewhere, in the order in which they are first met."""
    marks = [mark for model in all_models() for field in model.model_fields.values() for mark in _marks(field)]
    return list(dict.fromkeys(mark for mark in marks if isinstance(mark, TextRole)))


def _marks(field: FieldInfo) -> Iterator[Any]:
    yield from field.metadata
    for part in _flattened(field.annotation):
        yield from getattr(part, "__metadata__", ())


ROLES = _roles()
