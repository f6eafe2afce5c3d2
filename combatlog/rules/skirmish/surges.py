"""Surge keys: `damage 4`, `+1 hit, stun`, `pierce 1, weaken`. The key itself says what it does."""

from __future__ import annotations

import re
from dataclasses import dataclass

from combatlog.rules.skirmish.vocabulary import CONDITION_WORDS, VICTORY_POINTS, Symbol

SYMBOL_WORDS: dict[str, Symbol] = {
    "damage": Symbol.DAMAGE,
    "hit": Symbol.DAMAGE,
    "hits": Symbol.DAMAGE,
    "pierce": Symbol.PIERCE,
    "accuracy": Symbol.ACCURACY,
    "surge": Symbol.SURGE,
    "surges": Symbol.SURGE,
    "blast": Symbol.BLAST,
    "cleave": Symbol.CLEAVE,
    "recover": Symbol.RECOVER,
}

_PART = re.compile(r"(?:(?P<before>[+-]?[0-9]{1,4})\s+)?(?P<word>[a-z]+)(?:\s+(?P<after>[+-]?[0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class SurgePart:
    """One part of a surge ability: it adds symbols or applies a condition."""

    text: str
    symbol: Symbol | None = None
    amount: int = 0
    condition: str | None = None
    points: int | None = None
    """Victory points that the player gains."""

    @property
    def is_known(self) -> bool:
        return self.symbol is not None or self.condition is not None or self.points is not None

    @property
    def adds_nothing(self) -> bool:
        """Whether it has a number that is too small."""
        return (self.symbol is not None and self.amount < 1) or (self.points is not None and self.points < 1)


def parts_of(key: str) -> list[SurgePart]:
    """What a surge key does, part by part. A part that the engine does not know stays text."""
    return [_part(text) for text in (piece.strip().lower() for piece in key.split(",")) if text]


def _part(text: str) -> SurgePart:
    match = _PART.fullmatch(text)
    if match is None or (match["before"] and match["after"]):
        return SurgePart(text)
    number = match["before"] or match["after"]
    word = match["word"]
    if number is not None and word in SYMBOL_WORDS:
        return SurgePart(text, symbol=SYMBOL_WORDS[word], amount=int(number))
    if number is not None and word == VICTORY_POINTS:
        return SurgePart(text, points=int(number))
    if number is None and word in CONDITION_WORDS:
        return SurgePart(text, condition=CONDITION_WORDS[word])
    return SurgePart(text)
