"""What a command led to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self, overload

from ledger.events import Event
from projections.battle import Battle, fold
from projections.window import Window
from rules.engine.fight import Fight


@dataclass(frozen=True)
class Outcome(Sequence[Event]):
    """The new events of a command, in order, and the state after them."""

    events: tuple[Event, ...]
    window: Window | None
    """The window that waits for an answer, if one does."""
    repeated: bool = False
    """The command had been carried out before, so nothing was recorded this time."""
    _state: Callable[[], Battle] = field(default=Battle, repr=False, compare=False)

    @classmethod
    def of(cls, fight: Fight, new: Sequence[Event], *, repeated: bool = False) -> Self:
        """The state is folded when it is asked for: a fight's own moves on with the next command."""
        events, seq = fight.events, fight.battle.seq
        return cls(tuple(new), _as_it_is(fight.battle.window), repeated, lambda: fold(events[:seq]))

    @classmethod
    def ending_in(cls, battle: Battle, new: Sequence[Event], *, repeated: bool = False) -> Self:
        """With a state that nothing will change any more."""
        return cls(tuple(new), battle.window, repeated, lambda: battle)

    @cached_property
    def state(self) -> Battle:
        return self._state()

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self.events[index]


def _as_it_is(window: Window | None) -> Window | None:
    """A copy: the answers to come are added to the fight's own."""
    return replace(window, answered=set(window.answered)) if window is not None else None
