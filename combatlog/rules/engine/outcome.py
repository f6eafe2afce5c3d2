"""What a command led to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self, overload

from combatlog.rules.engine.fight import Fight
from ledger.events import Event, Face, FaceOrigin, Rolled
from projections.battle import Battle
from projections.journal import copy_of
from projections.window import Window


@dataclass(frozen=True)
class Outcome(Sequence[Event]):
    """The new events of a command, in order, and the state after them."""

    events: tuple[Event, ...]
    state: Battle = field(repr=False, compare=False)
    repeated: bool = False
    """The command had been carried out before, so nothing was recorded this time."""
    head: bytes | None = field(default=None, repr=False, compare=False)
    """The hash of the last of the events; None if they were not recorded just now."""

    @classmethod
    def of(cls, fight: Fight, new: Sequence[Event], *, repeated: bool = False, head: bytes | None = None) -> Self:
        """With a copy of the state, because a fight's own moves on with the next command."""
        return cls.ending_in(copy_of(fight.battle), new, repeated=repeated, head=head)

    @classmethod
    def ending_in(
        cls, battle: Battle, new: Sequence[Event], *, repeated: bool = False, head: bytes | None = None
    ) -> Self:
        """With a state that nothing will change any more."""
        return cls(tuple(new), battle, repeated, head)

    @property
    def window(self) -> Window | None:
        """The window that waits for an answer, if one does."""
        return self.state.window

    @property
    def waits_for_link(self) -> bool:
        """Whether a roll of shared dice waits for a player."""
        return self.window is not None and self.window.is_for_dice

    def left_over(self, dice: Sequence[Face] | None) -> Sequence[Face]:
        """The faces given with the command that it had no use for, such as damage for an attack that missed."""
        rolled = [event for event in self.events if isinstance(event, Rolled) and event.dice_source is FaceOrigin.TABLE]
        return () if self.repeated else (dice or ())[sum(len(roll.faces) for roll in rolled) :]

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self.events[index]


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """What several commands led to, one after the other."""
    events = [event for outcome in outcomes for event in outcome.events]
    last = outcomes[-1]
    repeated = outcomes[0].repeated and not events
    return Outcome.ending_in(last.state, events, repeated=repeated, head=last.head)
