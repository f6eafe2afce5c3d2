"""Limits on user input. Input beyond them is refused before anything is written.

Events are JSON and live for years: data that cannot be read back as it was written must never be stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from combatlog.rules.engine.refusal import Refusal

MAX_DEPTH = 40
"""The deepest nesting of lists and mappings."""
MAX_VALUES = 20_000
"""The most values in one declaration, sheet or file, at any depth."""
MAX_TEXT = 20_000
"""The most characters in one string."""
MAX_WORDS = 2_000
"""The most characters in a name, a reason or a reference."""
MAX_NUMBER = 999_999_999
"""Nine digits: thousands of such numbers can be added up before anything overflows."""


MAX_STORED_NUMBER = 2**40
"""The largest number in an event, which may be the sum of numbers given by users."""
MAX_IMPORT_LINE = 16_000_000
"""The most bytes for one event in an export; the largest contains a file of MAX_FILE, escaped twice."""
MAX_IMPORT = 8_000_000_000
"""The most bytes in an export."""
MAX_IMPORT_EVENTS = 5_000_000
MAX_IMPORT_FOLDED = 20_000_000
"""The most events folded to check an import; a shared past counts again for every fork."""


def check_data(data: Any) -> None:
    """Refuse data that is too large, too deep, or not JSON. Looks at no more than MAX_VALUES values."""
    for value in _bounded_values(data):
        _check_value(value)


def check_amount(data: Any) -> None:
    """Refuse data that is too large or too deep."""
    for _ in _bounded_values(data):
        pass


def _bounded_values(data: Any) -> Iterator[Any]:
    for seen, (value, depth) in enumerate(_all_values(data), 1):
        if seen > MAX_VALUES or depth > MAX_DEPTH:
            raise Refusal(
                "input/too-much",
                f"The data is too large; the limits are {MAX_VALUES} values and {MAX_DEPTH} levels of nesting.",
                most_values=MAX_VALUES,
                most_depth=MAX_DEPTH,
            )
        yield value


def check_stored(payload: Any) -> None:
    """Refuse content that no version of this program can have written, because the read models could not hold it."""
    for value, _ in _all_values(payload):
        if isinstance(value, str) and "\0" in value:
            raise _has_nul()
        if isinstance(value, int | float) and not -MAX_STORED_NUMBER <= value <= MAX_STORED_NUMBER:
            sentence = f"The number {value} is too large; the limit is {MAX_STORED_NUMBER}."
            raise Refusal("input/not-plain", sentence, most=MAX_STORED_NUMBER)


_LARGE_NUMBER = re.compile(rb"[:,\[][\s-]*\d(?:\d{12}|[\d.]*[eE])")
"""A number with as many digits as MAX_STORED_NUMBER or with an exponent, or text that looks like one."""


_ONE_DIGIT = bytes.maketrans(b"123456789", b"000000000")
_MANY_DIGITS = b"0" * 13
_ONE_MARK = bytes.maketrans(b",[ENI", b"::eee")
_PARTS_OF_NUMBERS = b"0123456789.+- \t\r\n"
"""Without these bytes, only the `e` of a number's exponent is left, right after the mark before the value."""


def is_plainly_storable(state: bytes) -> bool:
    """Whether JSON certainly passes `check_stored`, as almost every event does."""
    if b"\0" in state or (b"\\" in state and rb"\u0000" in state):  # searching for a single byte is fast
        return False
    if _MANY_DIGITS in state.translate(_ONE_DIGIT) or b":e" in state.translate(_ONE_MARK, _PARTS_OF_NUMBERS):
        return b"NaN" not in state and b"Infinity" not in state and _LARGE_NUMBER.search(state) is None
    return True


def _all_values(data: Any) -> Iterator[tuple[Any, int]]:
    """Every value in the data, with its depth. A value comes before the values inside it."""
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
            raise Refusal("input/not-plain", "The keys of a mapping must be text or numbers.")
    elif isinstance(value, bool) or value is None or isinstance(value, list | tuple):
        return
    elif not isinstance(value, int | float) or not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise Refusal(
            "input/not-plain",
            f"A value must be text, a number up to {MAX_NUMBER}, true, false, null, a list or a mapping; "
            "put dates and times in quotes.",
            most=MAX_NUMBER,
        )


def check_text(text: str, most: int = MAX_WORDS) -> None:
    if len(text) > most:
        sentence = f"A text has {len(text)} characters; the limit is {most}."
        raise Refusal("input/too-long", sentence, found=len(text), most=most)
    if "\0" in text:
        raise _has_nul()
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refusal("input/not-text", "A text contains an unpaired surrogate, which is not a character.") from error


def _has_nul() -> Refusal:
    return Refusal("input/not-text", "A text contains a NUL character, which PostgreSQL cannot store.")


def check_texts(*texts: str | None) -> None:
    for text in texts:
        if text is not None:
            check_text(text)
