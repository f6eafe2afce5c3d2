"""Reading data as a model. The first complaint of pydantic becomes one sentence that names the field."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from projections.combatant import Combatant
from rules.engine.refusal import Refusal

M = TypeVar("M")

LONGEST = 80
"""Characters of a value that a refusal repeats."""


class Complaint(NamedTuple):
    """What is wrong with one field of some data."""

    field: str
    """Its path, such as `weapons.0.damage`; empty when the data as a whole is at fault."""
    message: str
    found: str | None
    """The value as it was written, shortened; None where there is no value to show."""

    @property
    def in_words(self) -> str:
        return f"{self.message}{f' (found {self.found})' if self.found is not None else ''}"


@cache
def adapter(model: Any) -> TypeAdapter[Any]:
    """What reads data as a model, made once for each."""
    return TypeAdapter(model)


def validated(model: type[M], data: Any, code: str, what: str, /, **facts: Any) -> M:
    """The data as this model, or a refusal that names the first field that is wrong."""
    try:
        return cast(M, adapter(cast(Any, model)).validate_python(data))
    except ValidationError as error:
        wrong = first_complaint(error)
        field = wrong.field or "content"
        if wrong.found is not None:
            facts["found"] = wrong.found
        raise Refusal(code, f"{what} {field} is not right: {wrong.in_words}.", **{"field": field, **facts}) from error


def first_complaint(error: ValidationError) -> Complaint:
    first = error.errors()[0]
    message = first["msg"].removeprefix("Value error, ")
    is_whole = not first["loc"] and isinstance(first["input"], dict | list)
    valueless = is_whole or first["type"] in ("missing", "extra_forbidden")
    return Complaint(
        field=".".join(map(str, first["loc"])),
        message=f"{message[:1].lower()}{message[1:]}",
        found=None if valueless else _shortened(first["input"]),
    )


def sheet_as(model: type[M], combatant: Combatant) -> M:
    """A combatant's sheet as its ruleset's model. It was checked when the combatant joined, and is parsed once."""
    if combatant.view is None:
        combatant.view = adapter(cast(Any, model)).validate_python(combatant.sheet)
    return cast(M, combatant.view)


def _shortened(value: Any) -> str:
    """As files write it, unless that is long: somebody has to read the sentence."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}..."
