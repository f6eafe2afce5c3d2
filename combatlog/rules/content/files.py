"""Read files written by users or shipped with a ruleset. A fault in a user's file is refused."""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from stat import S_ISREG
from typing import Any

import yaml

from combatlog.rules.content.limits import MAX_DEPTH, MAX_VALUES, check_data
from combatlog.rules.engine.refusal import Refusal, suggest
from ledger.events import Data

MAX_FILE = 2_000_000


def read_text(path: Path) -> str:
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refusal("file/not-a-file", f"{path} is not a regular file.", file=str(path))
            content = file.read(MAX_FILE + 1)
        if len(content) > MAX_FILE:
            sentence = f"{path} is larger than {MAX_FILE // 1_000_000} MB."
            raise Refusal("file/too-large", sentence, file=str(path), most=MAX_FILE)
        return content.decode("utf-8")
    except OSError as error:
        sentence = f"{path} cannot be read: {error.strerror}."
        raise Refusal("file/unreadable", sentence, file=str(path), suggestions=files_like(path)) from error
    except UnicodeDecodeError as error:
        raise Refusal("file/not-text", f"{path} is not a text file in UTF-8.", file=str(path)) from error
    except ValueError as error:  # a name with a null character in it
        raise Refusal("file/unreadable", f"{path} cannot be read: {error}.", file=str(path)) from error


def files_like(path: Path) -> list[str]:
    """Files and folders with a similar name, if this name does not exist."""
    try:
        names = [] if path.exists() else os.listdir(path.parent)
    except (OSError, ValueError):
        return []
    return [str(path.parent / name) for name in suggest(path.name, names)]


def _without_waiting(path: str, flags: int) -> int:
    """Open without blocking; otherwise, opening a named pipe would wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_yaml(path: Path) -> Any:
    """Any YAML (or JSON) file, loaded safely."""
    return read_yaml_text(read_text(path), str(path))


def read_yaml_text(text: str, where: str) -> Any:
    """Parse YAML from users: only plain data, within limits."""
    try:
        _check_events(text)
        data = parse_yaml(text)
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else None
        problem = getattr(error, "problem", None) or "it is not valid YAML"
        place = f"{where}, line {line}" if line is not None else where
        raise Refusal("file/malformed", f"{place}: {problem}.", file=where, line=line) from error
    check_data(data)
    return _named_by_text(data, where)


def _named_by_text(value: Any, where: str) -> Any:
    """Turn numeric keys, as in `{1: 4}`, into text, because JSON has no other keys."""
    if isinstance(value, list):
        return [_named_by_text(part, where) for part in value]
    if not isinstance(value, dict):
        return value
    named = {_name(key): _named_by_text(part, where) for key, part in value.items()}
    if len(named) < len(value):
        raise Refusal("file/malformed", f"{where}: two keys are the same, one as a number and one as text.", file=where)
    return named


def _name(key: str | int) -> str:
    return key if isinstance(key, str) else str(key).lower() if isinstance(key, bool) else str(key)


def _check_events(text: str) -> None:
    """Check the events before building data: deep nesting overflows the stack, and aliases can grow without bound."""
    depth = 0
    for values, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise Refusal("file/alias", "Aliases (*name) are not allowed in files; write the values out.")
        if depth > MAX_DEPTH or values > 3 * MAX_VALUES:
            sentence = f"The file is nested deeper than {MAX_DEPTH} levels, or has too many values."
            raise Refusal("input/too-much", sentence, most_depth=MAX_DEPTH, most_values=MAX_VALUES)


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str) -> Any:
    """Parse with the fast loader if there is one. Both loaders only accept plain data."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506


@cache
def shipped_file(package: str, name: str) -> Any:
    """The file `data/NAME.yaml` of a ruleset's package."""
    return parse_yaml((files(package) / "data" / f"{name}.yaml").read_text("utf-8"))


@cache
def shipped_folder(package: str, name: str) -> dict[str, Data]:
    """The files in the folder `data/NAME` of a ruleset's package, by name, in alphabetical order."""
    entries = [entry for entry in (files(package) / "data" / name).iterdir() if entry.name.endswith(".yaml")]
    return {
        entry.name.removesuffix(".yaml"): parse_yaml(entry.read_text("utf-8"))
        for entry in sorted(entries, key=lambda entry: entry.name)
    }
