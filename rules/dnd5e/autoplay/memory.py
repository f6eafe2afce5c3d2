"""What was worked out for earlier decisions of a fight, and need not be worked out again while nothing changes it.

Everything is remembered by all that it depends on. A key that leaves something out makes the player judge by a state
that is gone; `tests/rules/dnd5e/autoplay/test_memory.py` compares every decision of whole fights with fresh ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from projections.battle import Battle

MOST = 20_000
"""Entries that a memory holds before it starts afresh; a fight of some rounds needs a few thousand."""

T = TypeVar("T")


class Memory:
    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._numbers: dict[Hashable, int] = {}
        self._next = 0

    def recall(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """What is known for this key, or else what is worked out now."""
        try:
            known: T = self._known[key]
        except KeyError:
            known = work_out()
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = known
        return known

    def number_of(self, state: Hashable) -> int:
        """The same number for the same state, so that keys stay short."""
        number = self._numbers.get(state)
        if number is None:
            if len(self._numbers) >= MOST:
                self._numbers.clear()
            self._next += 1
            number = self._numbers[state] = self._next
        return number


_MEMORIES: WeakKeyDictionary[Battle, Memory] = WeakKeyDictionary()


def memory_of(battle: Battle) -> Memory:
    """The memory of a battle, which lasts as long as the battle does."""
    known = _MEMORIES.get(battle)
    if known is None:
        known = _MEMORIES[battle] = Memory()
    return known
