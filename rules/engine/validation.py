"""Reading data as a model. What pydantic minds becomes one sentence that names the field."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from rules.engine.refusal import Refusal

M = TypeVar("M")

LONGEST = 80
"""Characters of a value that a refusal repeats."""


@cache
def adapter(model: Any) -> TypeAdapter[Any]:
    """What reads data as a model, made once for each."""
    return TypeAdapter(model)


def validated(model: type[M], data: Any, code: str, what: str, /, **facts: Any) -> M:
    """The data as this model, or a refusal that names the first field that is not right."""
    try:
        return cast(M, adapter(cast(Any, model)).validate_python(data))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "content"
        valueless = not first["loc"] or first["type"] in ("missing", "extra_forbidden")
        found = "" if valueless else f" (found {_shortened(first['input'])})"
        message = first["msg"].removeprefix("Value error, ")
        sentence = f"{what} {field} is not right: {message[:1].lower()}{message[1:]}{found}."
        raise Refusal(code, sentence, field=field, **facts) from error


def _shortened(value: Any) -> str:
    """As it was written, unless that is long: the sentence has to be read by somebody."""
    written = repr(value)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}..."
