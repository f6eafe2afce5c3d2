"""Print text on a terminal safely: text from users is never interpreted as markup or control codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, time
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

from ledger.errors import Problem
from projections.story.text import clean

if TYPE_CHECKING:
    from rich.console import Console


@cache
def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True, markup=False)


def say(text: str = "", style: str | None = None, end: str = "\n") -> None:
    """Print one or several lines, without control codes."""
    console().print("\n".join(clean(line) for line in text.split("\n")), style=style, end=end)


def print_json(data: Any) -> None:
    """Print one JSON document on standard output."""
    sys.stdout.write(as_json_text(data) + "\n")


def present(as_json: bool, data: Callable[[], Any], words: Callable[[], object]) -> None:
    """Print a result as JSON for programs, or in words for people."""
    if as_json:
        print_json(data())
    else:
        words()


def print_json_list(items: Iterable[Any]) -> None:
    """Print a JSON list, item by item as they come."""
    between = "["
    for item in items:
        sys.stdout.write(f"{between}\n  {as_json_text(item).replace(chr(10), chr(10) + '  ')}")
        between = ","
    sys.stdout.write("[]\n" if between == "[" else "\n]\n")


def as_json_text(data: Any) -> str:
    """JSON in which no text can control the terminal or change the writing direction."""
    writes_unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = json.dumps(data, indent=2, ensure_ascii=not writes_unicode, default=_in_json)
    if text.isascii():
        return text  # JSON has escaped control codes; below, other invisible characters are escaped
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)


def _in_json(value: object) -> str:
    """Values that JSON has no type for: dates and times in ISO 8601, as in events; others as text."""
    return value.isoformat() if isinstance(value, date | time) else str(value)


_PAUSE = 0.05


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yields a function to call with the amount done and the total."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    err = console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        shown = 0.0

        def show(done: int, total: int) -> None:
            nonlocal shown
            if (now := monotonic()) - shown >= _PAUSE:  # it may be called for every single event
                shown = now
                progress.update(task, completed=done, total=total)

        yield show


def write(texts: Iterable[str], output: Path | None) -> None:
    if output is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # the output is a file's content, whatever the terminal can show
        sys.stdout.writelines(texts)
        return
    with opened(output, "w") as file:
        file.writelines(texts)


def opened(path: Path, mode: str) -> IO[Any]:
    try:
        return path.open(mode) if "b" in mode else path.open(mode, encoding="utf-8", newline="\n")
    except OSError as error:
        from combatlog.rules.content.files import files_like

        sentence = f"{path} cannot be opened: {error.strerror}."
        meant = files_like(path) if "r" in mode else []
        raise Problem("file/unusable", sentence, path=str(path), suggestions=meant) from error
