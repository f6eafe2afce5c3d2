"""The fields of a model, as data and in words: what a pack's entry may say, and what an action can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.text import clean

if TYPE_CHECKING:
    from rules.content.field_reference import Field


def default_of(field: Field) -> str:
    """What is so if nobody says anything, in parentheses; nothing where that is simply nothing."""
    if field.required:
        return " (required)"
    value = field.default
    if value is None or isinstance(value, list | dict | tuple) or value == "":
        return ""
    return f" (default: {str(value).lower() if isinstance(value, bool) else clean(value)})"
