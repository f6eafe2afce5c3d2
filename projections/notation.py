"""Dice notation as it is recorded: which dice were rolled and which counted.

It reads what the rules wrote and refuses nothing: notation that it does not know, of a later version, is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

FATE = (1, 1, 0, 0, -1, -1)
_EXPLODING = re.compile(r"([0-9]{1,3})dF\+")
_TERM = re.compile(r"([+-]?)(?:([0-9]{0,3})d([0-9]{1,4}|F|\{[^}]{0,4000}\})(?:k([hl])([0-9]{0,3}))?|([0-9]{1,6}))")
"""As much as any rules roll: a notation with a billion sides, written by somebody else, is None."""


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Dice of one kind. `keep` 1: only the highest counts; -1: only the lowest; None: all do."""

    count: int
    name: str
    faces: tuple[int | str, ...]
    keep: int | None = None

    @property
    def sides(self) -> int | None:
        """The number of sides of a die that is numbered from 1."""
        return len(self.faces) if self.name[1:].isdigit() else None


@dataclass(frozen=True, slots=True)
class Notation:
    groups: tuple[DiceGroup, ...]
    constant: int = 0
    explodes: bool = False

    def dice(self, faces: int) -> list[DiceGroup]:
        """The kind of each die in a roll with so many faces; dice that exploded are of the kinds first thrown."""
        throw = [group for group in self.groups for _ in range(group.count)]
        return [throw[place % len(throw)] for place in range(faces)] if throw else []


@lru_cache(maxsize=4096)
def read(text: str) -> Notation | None:
    compact = text.replace(" ", "")
    if exploding := _EXPLODING.fullmatch(compact):
        return Notation((DiceGroup(int(exploding[1]), "dF", FATE),), explodes=True)
    terms = list(_TERM.finditer(compact))
    if not terms or "".join(term[0] for term in terms) != compact or not all(term[1] for term in terms[1:]):
        return None
    groups = tuple(_group(term) for term in terms if term[3])
    return Notation(groups, sum(int(term[1] + term[6]) for term in terms if term[6]))


def _group(term: re.Match[str]) -> DiceGroup:
    keep = int(term[5] or 1) * (1 if term[4] == "h" else -1) if term[4] else None
    return DiceGroup(int(term[2] or 1), f"d{term[3]}", _faces(term[3]), keep)


def _faces(die: str) -> tuple[int | str, ...]:
    if die == "F":
        return FATE
    if die.isdigit():
        return tuple(range(1, int(die) + 1))
    parts = die.strip("{}").split(",")
    return tuple(int(part) if re.fullmatch(r"[+-]?[0-9]{1,6}", part) else part for part in parts)
