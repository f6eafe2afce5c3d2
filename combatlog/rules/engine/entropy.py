"""Chance from the operating system, fetched for many rolls at a time: asking for each takes longer than some rules."""

from __future__ import annotations

import os
from array import array

_RANGE = 1 << 16
_drawn = array("H")
os.register_at_fork(after_in_child=lambda: _drawn.__delitem__(slice(None)))  # or both processes would roll the same


def below(limit: int) -> int:
    """A number below a limit of at most 65,536, each equally likely; from any thread."""
    fair = _RANGE - _RANGE % limit
    while (number := _next()) >= fair:
        pass
    return number % limit


def _next() -> int:
    while True:
        try:
            return _drawn.pop()
        except IndexError:  # also if another thread was faster
            _drawn.frombytes(os.urandom(2048))
