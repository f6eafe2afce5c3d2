"""Reading data as a model. The first complaint of pydantic becomes one sentence that names the field."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, TypeVar, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from combatlog.rules.engine.refusal import Refusal, suggest
from ledger.json_shapes import adapter as adapter
from projections.combatant import Combatant

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


def validated(model: type[M], data: Any, code: str, what: str, /, **facts: Any) -> M:
    """The data as this model, or a refusal that names the first field that is wrong."""
    try:
        return cast(M, adapter(cast(Any, model)).validate_python(data))
    except ValidationError as error:
        raise refused(model, error, code, what, **facts) from error


def refused(model: Any, error: ValidationError, code: str, what: str, /, **facts: Any) -> Refusal:
    """The refusal that names the first field that is wrong."""
    wrong = first_complaint(error)
    field = wrong.field or "content"
    if wrong.found is not None:
        facts["found"] = wrong.found
    if meant := _meant(model, error.errors()[0]):
        facts["suggestions"] = meant
    return Refusal(code, f"{what} {field} is not valid: {wrong.in_words}.", **{"field": field, **facts})


def first_complaint(error: ValidationError) -> Complaint:
    first = error.errors()[0]
    message = _MESSAGES.get(first["type"], first["msg"].removeprefix("Value error, "))
    is_whole = not first["loc"] and isinstance(first["input"], dict | list)
    valueless = is_whole or first["type"] in ("missing", "extra_forbidden")
    return Complaint(
        field=".".join(map(str, first["loc"])),
        message=f"{message[:1].lower()}{message[1:]}",
        found=None if valueless else _shortened(first["input"]),
    )


_MESSAGES = {"extra_forbidden": "there is no such field"}
"""What pydantic says in the language of programmers."""


def _meant(model: Any, complaint: ErrorDetails) -> list[str]:
    """The fields that somebody may have meant by one that does not exist."""
    if complaint["type"] != "extra_forbidden":
        return []
    *path, name = complaint["loc"]
    for part in path:
        if isinstance(part, str):
            inner = model.model_fields.get(part) if _is_model(model) else None
            model = inner.annotation if inner is not None else None
        model = _model_in(model)
    found = _model_in(model)
    return suggest(str(name), [info.alias or known for known, info in found.model_fields.items()]) if found else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that a field holds, be it in a list, in a mapping or optional; None if there is none, or several."""
    if _is_model(annotation):
        return cast(type[BaseModel], annotation)
    found = [model for model in map(_model_in, get_args(annotation)) if model is not None]
    return found[0] if len(found) == 1 else None


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def sheet_as(model: type[M], combatant: Combatant) -> M:
    """A combatant's sheet as its ruleset's model. It was checked when the combatant joined, and is parsed once."""
    if combatant.view is None:
        combatant.view = adapter(cast(Any, model)).validate_python(combatant.sheet)
    return cast(M, combatant.view)


def _shortened(value: Any) -> str:
    """As files write it, unless that is long: somebody has to read the sentence."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}..."
