"""Reading what people wrote, safely: every problem is a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rules.refusal import Refusal

MAX_FILE = 2_000_000


def read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE:
            raise Refusal("file/too-large", f"{path} is larger than {MAX_FILE // 1_000_000} MB.")
        return path.read_text("utf-8")
    except OSError as error:
        raise Refusal("file/unreadable", f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Refusal("file/not-text", f"{path} is not a text file in UTF-8.") from error


def read_yaml(path: Path) -> Any:
    """Any YAML (or JSON) file, loaded safely."""
    text = read_text(path)
    try:
        return parse_yaml(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it is not valid YAML"
        raise Refusal("file/malformed", f"{path}{where}: {problem}.") from error


def parse_yaml(text: str) -> Any:
    """With the fast loader where there is one. Both refuse everything but plain data."""
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
