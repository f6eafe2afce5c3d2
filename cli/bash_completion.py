"""Bash breaks words at `=` and `:` and quotes nothing that it inserts; what typer prints has to be made to fit.

zsh and fish need none of this.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO

VARIABLE = "_COMBATLOG_COMPLETE"
_BREAKS = ("=", ":")


def is_asking() -> bool:
    return os.environ.get(VARIABLE) == "complete_bash"


def complete(run: Callable[[], object]) -> None:
    """Run the completion with words as they were typed, and print what is to be inserted into the last one."""
    typed = os.environ.get("COMP_WORDS", "").split("\n")
    current = int(os.environ.get("COMP_CWORD", "0"))
    words = rejoined(typed[: current + 1])
    os.environ["COMP_WORDS"] = "\n".join(words)
    os.environ["COMP_CWORD"] = str(len(words) - 1)
    told = StringIO()
    try:
        with redirect_stdout(told):
            run()
    finally:
        sys.stdout.write("\n".join(inserted(value, words[-1]) for value in told.getvalue().splitlines()))


def rejoined(words: list[str]) -> list[str]:
    """`slot`, `=`, `2` were typed as `slot=2`. An empty word is one that begins after a space."""
    whole: list[str] = []
    for word in words:
        if whole and word and (word in _BREAKS or whole[-1].endswith(_BREAKS)):
            whole[-1] += word
        else:
            whole.append(word)
    return whole


def inserted(value: str, word: str) -> str:
    """What replaces the part of the word that Bash took for all of it, escaped unless the word has an open quote."""
    broken = max(word.rfind(mark) for mark in _BREAKS) + 1
    rest = value[broken:] if value.startswith(word[:broken]) else value
    return rest if _has_open_quote(word) else re.sub(r"([^\w@%+=:,./-])", r"\\\1", rest)


def _has_open_quote(word: str) -> bool:
    try:
        shlex.split(word)
    except ValueError:
        return True
    return False
