"""Reading the lines of an export, one event each."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from pydantic_core import from_json

from ledger.errors import Problem


class Line(NamedTuple):
    """An event of an export, as it would be stored."""

    encounter: UUID
    seq: int
    name: str
    state: bytes
    hash: bytes


def read_line(number: int, line: bytes) -> Line:
    try:
        return _line(from_json(line))
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(
            "import/unreadable",
            f"Line {number} is not an event of an export.",
            line=number,
        ) from error


def _line(data: dict[str, Any]) -> Line:
    """Nothing is converted: a number in quotes, or one that is not whole, is not the number of an event."""
    encounter, seq, name, state, hashed = _fields(data)
    if type(seq) is not int or not (type(encounter) is type(name) is type(state) is type(hashed) is str):
        raise TypeError("a field has the wrong type")
    return Line(_id(encounter), seq, name, state.encode("utf-8"), bytes.fromhex(hashed))


_fields = itemgetter("encounter", "seq", "name", "state", "hash")
_id = lru_cache(64)(UUID)
"""Lines of one encounter follow each other, and so they share one id."""
