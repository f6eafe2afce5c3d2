"""Content that ships with a ruleset: YAML files in its package, validated on load."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from ledger.events import Data
from rules.content.files import parse_yaml
from rules.engine.refusal import Refusal

M = TypeVar("M")

LONGEST = 80
"""Characters of a value that a refusal repeats."""


@cache
def shipped_file(package: str, name: str) -> Any:
    """The file `data/NAME.yaml` of a ruleset's package."""
    return parse_yaml((files(package) / "data" / f"{name}.yaml").read_text("utf-8"))


@cache
def shipped_folder(package: str, name: str) -> dict[str, Data]:
    """The files of the folder `data/NAME` of a ruleset's package, by name and in its order."""
    entries = [entry for entry in (files(package) / "data" / name).iterdir() if entry.name.endswith(".yaml")]
    return {
        entry.name.removesuffix(".yaml"): parse_yaml(entry.read_text("utf-8"))
        for entry in sorted(entries, key=lambda entry: entry.name)
    }


@cache
def adapter(model: Any) -> TypeAdapter[Any]:
    """What reads data as a model, made once for each."""
    return TypeAdapter(model)


def validated(model: type[M], data: Any, code: str, what: str) -> M:
    """The data as this model, or a refusal that names the first field that is not right."""
    try:
        return cast(M, adapter(cast(Any, model)).validate_python(data))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "content"
        valueless = not first["loc"] or first["type"] in ("missing", "extra_forbidden")
        found = "" if valueless else f" (found {_shortened(first['input'])})"
        message = first["msg"].removeprefix("Value error, ")
        raise Refusal(code, f"{what} {field} is not right: {message[:1].lower()}{message[1:]}{found}.") from error


def _shortened(value: Any) -> str:
    """As it was written, unless that is long: the sentence has to be read by somebody."""
    written = repr(value)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}..."
