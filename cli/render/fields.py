"""The fields of a model, as data and in words: what a pack's entry may say, and what an action can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field as Described
from typing_extensions import TypedDict

from projections.text import clean

if TYPE_CHECKING:
    from rules.content.field_reference import Field


class OptionData(TypedDict):
    """An option, as `field_data` describes it."""

    name: str
    required: bool
    takes: Annotated[str, Described(description="what values it takes, in words")]
    values: Annotated[list[Any], Described(description="the possible values, if there are only a few")]
    default: Any
    about: str
    options: Annotated[list[OptionData], Described(description="what is inside, if it is a mapping")]


def field_data(field: Field) -> OptionData:
    return {
        "name": field.name,
        "required": field.required,
        "takes": field.takes,
        "values": list(field.values),
        "default": field.default,
        "about": field.note,
        "options": [field_data(part) for part in field.parts],
    }


def default_of(field: Field) -> str:
    """What is so if nobody says anything, in parentheses; nothing where that is simply nothing."""
    if field.required:
        return " (required)"
    value = field.default
    if value is None or isinstance(value, list | dict | tuple) or value == "":
        return ""
    return f" (default: {str(value).lower() if isinstance(value, bool) else clean(value)})"
