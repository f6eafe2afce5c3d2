"""How many squares somebody takes up, as its sheet says: across and down from the square that is its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ledger.events import Data, Position

SQUARES = {"large": 2, "huge": 3, "gargantuan": 4}
"""The squares across and down of sizes that are words; every other word is one square."""
_ACROSS_AND_DOWN = re.compile(r"([1-9])x([1-9])")


def footprint(sheet: Data) -> tuple[int, int]:
    """Squares across and down. A size is a word, or written like `1x2`."""
    size = str(sheet.get("size") or "")
    if found := _ACROSS_AND_DOWN.fullmatch(size):
        return int(found[1]), int(found[2])
    wide = SQUARES.get(size, 1)
    return wide, wide


def covered(place: Position, across: int, down: int) -> Iterator[Position]:
    for row in range(down):
        for column in range(across):
            yield place[0] + column, place[1] + row
