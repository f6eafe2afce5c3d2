"""The numbers that rolls of committed dice hold. The next roll gets the lowest one that is free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count


@dataclass(slots=True)
class RollNumbers:
    """Which numbers are held, from 1. Nearly always those up to the last one, so only exceptions are kept one by one.

    An imported event may hold any number, so nothing here costs as much as a number is high.
    """

    upto: int = 0
    """Every number up to this one is held, unless it is in `free`."""
    free: set[int] = field(default_factory=set)
    beyond: set[int] = field(default_factory=set)
    """Higher numbers that are held."""

    def holds(self, number: int) -> bool:
        return number in self.beyond or (number <= self.upto and number not in self.free)

    @property
    def lowest_free(self) -> int:
        return min(self.free, default=self.upto + 1)

    def all_free(self) -> Iterator[int]:
        """Every free number, lowest first. Those that it has given out may be taken meanwhile."""
        yield from sorted(self.free)
        yield from (number for number in count(self.upto + 1) if not self.holds(number))

    def take(self, number: int) -> None:
        if number <= self.upto:
            self.free.discard(number)
            return
        self.beyond.add(number)
        while self.upto + 1 in self.beyond:
            self.upto += 1
            self.beyond.remove(self.upto)

    def release(self, number: int) -> None:
        if number > self.upto:
            self.beyond.discard(number)
            return
        self.free.add(number)
        while self.upto in self.free:
            self.free.remove(self.upto)
            self.upto -= 1

    def copy(self) -> RollNumbers:
        return RollNumbers(self.upto, set(self.free), set(self.beyond))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RollNumbers) and self._held_above() == other._held_above()

    def _held_above(self) -> tuple[int, set[int]]:
        """The lowest free number, and the held ones above it: the same however the numbers were taken."""
        lowest = self.lowest_free
        return lowest, self.beyond | (set(range(lowest, self.upto + 1)) - self.free)
