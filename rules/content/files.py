"""Reading what people wrote, safely: every problem is a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rules.content.limits import MAX_DEPTH, MAX_VALUES, check_data
from rules.engine.refusal import Refusal

MAX_FILE = 2_000_000


def read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE + 1)  # not its size first: a pipe or a device has none
        if len(content) > MAX_FILE:
            raise Refusal("file/too-large", f"{path} is larger than {MAX_FILE // 1_000_000} MB.")
        return content.decode("utf-8")
    except OSError as error:
        raise Refusal("file/unreadable", f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise Refusal("file/not-text", f"{path} is not a text file in UTF-8.") from error


def read_yaml(path: Path) -> Any:
    """Any YAML (or JSON) file, loaded safely."""
    return read_yaml_text(read_text(path), str(path))


def read_yaml_text(text: str, where: str) -> Any:
    """YAML from people: plain data only, and no more of it than can be worked with."""
    try:
        _check_events(text)
        data = parse_yaml(text)
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it is not valid YAML"
        raise Refusal("file/malformed", f"{where}{line}: {problem}.") from error
    check_data(data)
    return _named_by_text(data, where)


def _named_by_text(value: Any, where: str) -> Any:
    """Values named by numbers, as `{1: 4}`, get the names that they have on record: JSON has no others."""
    if isinstance(value, list):
        return [_named_by_text(part, where) for part in value]
    if not isinstance(value, dict):
        return value
    named = {_name(key): _named_by_text(part, where) for key, part in value.items()}
    if len(named) < len(value):
        raise Refusal("file/malformed", f"{where}: something has the same name twice, once as a number.")
    return named


def _name(key: str | int) -> str:
    return key if isinstance(key, str) else str(key).lower() if isinstance(key, bool) else str(key)


def _check_events(text: str) -> None:
    """Before anything is built: deep nesting overruns the parser's stack, aliases grow without bound when written."""
    depth = 0
    for values, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise Refusal("file/alias", "Aliases (*name) are not taken in files; write the values out.")
        if depth > MAX_DEPTH or values > 3 * MAX_VALUES:
            raise Refusal("input/too-much", f"The file is nested deeper than {MAX_DEPTH}, or has too many values.")


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str) -> Any:
    """With the fast loader where there is one. Both refuse everything but plain data."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506
