"""The words of dice text: numbers, dice, operators, marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 10_000
"""Characters of one roll. A thousand dice, the most that the d20 library rolls at once, take fewer."""


class Unreadable(ValueError):
    """The text is not that of a roll."""


class Token(NamedTuple):
    kind: str
    text: str
    dropped: bool
    """It stands between `~~` and `~~`: it was rolled and does not count."""


_WORDS = re.compile(
    r"""(?P<space>\s+)
    |(?P<strike>~~)
    |(?P<plain>\*\*|`|\\)
    |(?P<arrow>->)
    |(?P<dice>\d*[dD](?:\d+|%))
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<operation>(?:rr|ro|ra|mi|ma|kh|kl|ph|pl|k|p|e)[hl<>]?\d+)
    |(?P<note>\[[^\]]*\])
    |(?P<compare>==|>=|<=|!=|<|>)
    |(?P<bang>!)
    |(?P<sign>[+-])
    |(?P<times>\*|//|/|%)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<comma>,)
    |(?P<equals>=)
    """,
    re.VERBOSE | re.ASCII,
)
_SILENT = {"space", "plain"}
_MINUS = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/"})
"""Signs that some tools print for the plain ones."""


def tokens_of(text: str) -> Iterator[Token]:
    """The words of a text, without spaces and without the marks for the highest and lowest face."""
    if len(text) > LONGEST:
        raise Unreadable(f"it has more than {LONGEST} characters")
    text, at, dropped = text.translate(_MINUS), 0, False
    while at < len(text):
        word = _WORDS.match(text, at)
        if word is None:
            raise Unreadable(f"{text[at : at + 10]!r} has no meaning in a roll")
        at, kind = word.end(), word.lastgroup or ""
        if kind == "strike":
            dropped = not dropped
        elif kind not in _SILENT:
            yield Token(kind, word[0], dropped)
