"""Tables of what a document would otherwise repeat: sentences and paths are written once and referred to by number."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from projections.text import clean

T = TypeVar("T", bound=Hashable)


class Table(Generic[T]):
    """Gives each entry a number, in the order in which they come."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def number(self, entry: T) -> int:
        return self._numbers.setdefault(entry, len(self._numbers))

    @property
    def entries(self) -> list[T]:
        return list(self._numbers)


class Texts(Table[str]):
    """Texts for people, without control codes and marks that change the direction of writing."""

    def of(self, text: object) -> int:
        return self.number(clean(text))
