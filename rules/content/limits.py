"""What is taken from people, and how much of it. What goes beyond is refused before anything is written.

Events live for years and are JSON: what cannot be read back as it was written must never get in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rules.engine.refusal import Refusal

MAX_DEPTH = 40
"""Lists in lists, mappings in mappings."""
MAX_VALUES = 20_000
"""Values in one declaration, sheet or file, however deep they are."""
MAX_TEXT = 20_000
"""Characters of one string."""
MAX_WORDS = 2_000
"""Characters of a name, a reason, a reference."""
MAX_NUMBER = 999_999_999
"""Nine digits, as on the command line: thousands of them can be added up before anything overflows."""


MAX_STORED_NUMBER = 2**40
"""In an event, where numbers that people gave are added up."""
MAX_IMPORT_LINE = 16_000_000
"""Bytes of one event in an export; the largest has a file of MAX_FILE in it, escaped twice."""
MAX_IMPORT = 8_000_000_000
"""Bytes of an export."""
MAX_IMPORT_EVENTS = 5_000_000
MAX_IMPORT_FOLDED = 20_000_000
"""Events that are folded to check an import; a past counts for every fork that shares it."""


def check_data(data: Any) -> None:
    """Refuse what is too much, too deep, or what JSON cannot hold. Asks no more than MAX_VALUES questions."""
    for seen, (value, depth) in enumerate(_all_values(data), 1):
        if seen > MAX_VALUES or depth > MAX_DEPTH:
            raise Refusal(
                "input/too-much",
                f"That is too much at once: at most {MAX_VALUES} values, {MAX_DEPTH} deep, are taken.",
            )
        _check_value(value)


def check_stored(payload: Any) -> None:
    """Refuse what no program has written as an event: the read models could not hold it."""
    for value, _ in _all_values(payload):
        if isinstance(value, str) and "\0" in value:
            raise _has_nul()
        if isinstance(value, int | float) and not -MAX_STORED_NUMBER <= value <= MAX_STORED_NUMBER:
            raise Refusal("input/not-plain", f"A number is beyond {MAX_STORED_NUMBER}, which none in a fight is.")


def _all_values(data: Any) -> Iterator[tuple[Any, int]]:
    """Every value in it, with how deep it is; a value is handed out before it is looked into."""
    waiting: list[tuple[Any, int]] = [(data, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        waiting += [(part, depth + 1) for part in _parts(value)]


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list | tuple) else ()


def _check_value(value: Any) -> None:
    if isinstance(value, str):
        check_text(value, MAX_TEXT)
    elif isinstance(value, dict):
        if not all(isinstance(key, str | int) for key in value):
            raise Refusal("input/not-plain", "The names of values must be words or numbers; quote those that are not.")
    elif isinstance(value, bool) or value is None or isinstance(value, list | tuple):
        return
    elif not isinstance(value, int | float) or not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise Refusal(
            "input/not-plain",
            f"Only words, numbers up to {MAX_NUMBER}, true, false, lists and mappings are taken; "
            "quote dates and the like.",
        )


def check_text(text: str, most: int = MAX_WORDS) -> None:
    if len(text) > most:
        raise Refusal("input/too-long", f"A text of {len(text)} characters is too long; at most {most} are taken.")
    if "\0" in text:
        raise _has_nul()
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refusal("input/not-text", "A text has characters that are none: half of a pair of surrogates.") from error


def _has_nul() -> Refusal:
    return Refusal("input/not-text", "A text has the character NUL in it, which PostgreSQL cannot hold; leave it out.")


def check_texts(*texts: str | None) -> None:
    for text in texts:
        if text is not None:
            check_text(text)
