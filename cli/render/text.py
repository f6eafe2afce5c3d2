"""Putting words on a terminal safely: nothing that a user wrote is taken for markup or for a control code."""

from __future__ import annotations

import json
import sys
from datetime import date, time
from functools import cache
from typing import TYPE_CHECKING, Any

from projections.text import clean

if TYPE_CHECKING:
    from rich.console import Console


@cache
def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True, markup=False)


def say(text: str = "", style: str | None = None, end: str = "\n") -> None:
    """A line, or several. Whatever is in it, no control code gets to the terminal."""
    console().print("\n".join(clean(line) for line in text.split("\n")), style=style, end=end)


def print_json(data: Any) -> None:
    """Data for programs: one JSON document on standard output."""
    sys.stdout.write(as_json_text(data) + "\n")


def as_json_text(data: Any) -> str:
    text = json.dumps(data, indent=2, ensure_ascii=not _writes_unicode(), default=_in_json)
    return text.encode("utf-8", "backslashreplace").decode()  # half a pair of surrogates, as JSON has it


def _in_json(value: object) -> str:
    """What JSON has no type for: dates and times in ISO 8601, as in events; anything else as text."""
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _writes_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
