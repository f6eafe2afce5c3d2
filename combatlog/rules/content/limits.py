"""Limits on what people can give. Whatever exceeds them is refused before anything is written.

Events are JSON and live for years: nothing that cannot be read back as it was written must ever get in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from combatlog.rules.engine.refusal import Refusal

MAX_DEPTH = 40
"""Lists in lists, mappings in mappings."""
MAX_VALUES = 20_000
"""Values in one declaration, sheet or file, at any depth."""
MAX_TEXT = 20_000
"""Characters of one string."""
MAX_WORDS = 2_000
"""Characters of a name, a reason, a reference."""
MAX_NUMBER = 999_999_999
"""Nine digits: thousands of such numbers can be added up before anything overflows."""


MAX_STORED_NUMBER = 2**40
"""Of a number in an event, which may be the sum of numbers that people gave."""
MAX_IMPORT_LINE = 16_000_000
"""Bytes of one event in an export; the largest contains a file of MAX_FILE, escaped twice."""
MAX_IMPORT = 8_000_000_000
"""Bytes of an export."""
MAX_IMPORT_EVENTS = 5_000_000
MAX_IMPORT_FOLDED = 20_000_000
"""Events that are folded to check an import; a shared past counts again for every fork."""


def check_data(data: Any) -> None:
    """Refuse data that is too much, too deep, or not JSON. Looks at MAX_VALUES values at most."""
    for value in _bounded_values(data):
        _check_value(value)


def check_amount(data: Any) -> None:
    """Refuse data that is too much or too deep."""
    for _ in _bounded_values(data):
        pass


def _bounded_values(data: Any) -> Iterator[Any]:
    for seen, (value, depth) in enumerate(_all_values(data), 1):
        if seen > MAX_VALUES or depth > MAX_DEPTH:
            raise Refusal(
                "input/too-much",
                f"That is too much: at most {MAX_VALUES} values, nested {MAX_DEPTH} deep, are possible.",
                most_values=MAX_VALUES,
                most_depth=MAX_DEPTH,
            )
        yield value


def check_stored(payload: Any) -> None:
    """Refuse content that no version of this program wrote: the read models could not hold it."""
    for value, _ in _all_values(payload):
        if isinstance(value, str) and "\0" in value:
            raise _has_nul()
        if isinstance(value, int | float) and not -MAX_STORED_NUMBER <= value <= MAX_STORED_NUMBER:
            sentence = f"The number {value} is larger than any in a fight ({MAX_STORED_NUMBER})."
            raise Refusal("input/not-plain", sentence, most=MAX_STORED_NUMBER)


_LARGE_NUMBER = re.compile(rb"[:,\[][\s-]*\d(?:\d{12}|[\d.]*[eE])")
"""Of as many digits as MAX_STORED_NUMBER, or with an exponent; or a text that looks like such a number."""


_ONE_DIGIT = bytes.maketrans(b"123456789", b"000000000")
_MANY_DIGITS = b"0" * 13
_ONE_MARK = bytes.maketrans(b",[ENI", b"::eee")
_PARTS_OF_NUMBERS = b"0123456789.+- \t\r\n"
"""Without these, all that is left of a number is the `e` of its exponent, right after what comes before a value."""


def is_plainly_storable(state: bytes) -> bool:
    """Whether JSON can have nothing that `check_stored` refuses, as is the case for almost every event."""
    if b"\0" in state or (b"\\" in state and rb"\u0000" in state):  # looking for one byte is quick
        return False
    if _MANY_DIGITS in state.translate(_ONE_DIGIT) or b":e" in state.translate(_ONE_MARK, _PARTS_OF_NUMBERS):
        return b"NaN" not in state and b"Infinity" not in state and _LARGE_NUMBER.search(state) is None
    return True


def _all_values(data: Any) -> Iterator[tuple[Any, int]]:
    """Every value in it, with its depth. A value comes before the values inside it."""
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
            raise Refusal("input/not-plain", "The keys of a mapping have to be text or numbers.")
    elif isinstance(value, bool) or value is None or isinstance(value, list | tuple):
        return
    elif not isinstance(value, int | float) or not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise Refusal(
            "input/not-plain",
            f"A value has to be text, a number up to {MAX_NUMBER}, true, false, a list or a mapping; "
            "dates and the like need quotes.",
            most=MAX_NUMBER,
        )


def check_text(text: str, most: int = MAX_WORDS) -> None:
    if len(text) > most:
        sentence = f"A text of {len(text)} characters is too long; at most {most} are possible."
        raise Refusal("input/too-long", sentence, found=len(text), most=most)
    if "\0" in text:
        raise _has_nul()
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refusal("input/not-text", "A text contains an unpaired surrogate, which is not a character.") from error


def _has_nul() -> Refusal:
    return Refusal("input/not-text", "A text contains the character NUL, which PostgreSQL cannot store.")


def check_texts(*texts: str | None) -> None:
    for text in texts:
        if text is not None:
            check_text(text)
