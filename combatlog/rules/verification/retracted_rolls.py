"""Committed and shared rolls that were seen and then retracted.

A retraction is not cheating, but all players should know of it. A correction that resolves a command again carries its
rolls over, so rolls are matched by command, purpose and roller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from pydantic import BaseModel, computed_field

from ledger.events import Declared, Event, Face, FaceOrigin, Rolled
from projections.battle.timeline import standing


class RollIdentity(NamedTuple):
    """The identity of a roll, which stays the same when corrections resolve the command again."""

    command: UUID | None
    purpose: str
    roller: str


class ShownRoll(NamedTuple):
    """A roll as recorded, with its number."""

    encounter: UUID
    drawn: int | None
    faces: tuple[Face, ...]


class RollHistory:
    def __init__(self, events: Iterable[Event]) -> None:
        self._declared: dict[int, Declared] = {}
        self._first: defaultdict[RollIdentity, dict[ShownRoll, int]] = defaultdict(dict)
        for event in events:
            if isinstance(event, Declared):
                self._declared[event.seq] = event
            elif isinstance(event, Rolled):
                shown = ShownRoll(event.encounter, event.drawn, event.faces)
                self._first[self.identity(event)].setdefault(shown, event.declaration)

    def identity(self, roll: Rolled) -> RollIdentity:
        declared = self._declared.get(roll.declaration)
        return RollIdentity(declared.command if declared is not None else None, roll.purpose, roll.roller)

    def correction(self, roll: Rolled) -> int | None:
        """The correction that resolved the roll's declaration again, if there was one."""
        declared = self._declared.get(roll.declaration)
        return declared.cause if declared is not None else None

    def carried(self, roll: Rolled) -> Sequence[ShownRoll]:
        """The earlier versions of a roll, from before the correction that resolved it again."""
        correction = self.correction(roll)
        if correction is None:
            return ()
        return [shown for shown, first in self._first[self.identity(roll)].items() if first < correction]


class SeenRoll(BaseModel):
    """A recorded roll that people have seen."""

    seq: int
    roller: str
    purpose: str
    faces: tuple[Face, ...]


class RetractedRoll(BaseModel):
    """A roll number with faces that were seen and then retracted or replaced."""

    number: int | None
    """None if the roll was recorded before rolls had numbers."""
    rolls: list[SeenRoll]
    """The retracted rolls, in order."""
    stands_as: int | None
    """The event of the roll that holds the number now; None if it has not been rolled again."""
    by_hand: bool
    """Whether people entered the faces of the roll that stands now."""
    shared: bool = False
    """Whether it was a roll of shared dice. If it is made again, it has new links and so new faces."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def times(self) -> int:
        """How often the roll was retracted."""
        return len(self.rolls)


def retracted_rolls(events: Sequence[Event], encounter: UUID) -> list[RetractedRoll]:
    """Every committed or shared roll of an encounter that does not stand as it was rolled. This needs no seed."""
    history = RollHistory(events)
    counting = [event for event in standing(events) if isinstance(event, Rolled) and event.encounter == encounter]
    still: defaultdict[RollIdentity, list[Rolled]] = defaultdict(list)
    for roll in counting:
        still[history.identity(roll)].append(roll)
    seen: dict[int | RollIdentity, dict[tuple[RollIdentity, tuple[Face, ...]], Rolled]] = {}
    for event in events:
        if isinstance(event, Rolled) and event.encounter == encounter and event.dice_source in _KEPT_SECRET:
            identity = history.identity(event)
            if not any(_counts(event, roll) for roll in still[identity]):
                place = event.drawn if event.drawn is not None else identity
                seen.setdefault(place, {}).setdefault((identity, event.faces), event)
    holders: dict[int | None, Rolled] = {roll.drawn: roll for roll in counting if roll.drawn is not None}
    return [_retracted_roll(list(rolls.values()), holders) for rolls in seen.values()]


_KEPT_SECRET = {FaceOrigin.COMMITTED, FaceOrigin.SHARED}
"""Sources of dice that nobody may know beforehand."""


def _counts(seen: Rolled, stands: Rolled) -> bool:
    """Whether the seen faces are those of the standing roll, which may have needed more faces."""
    return (
        stands.dice_source is seen.dice_source
        and seen.drawn in (None, stands.drawn)
        and stands.faces[: len(seen.faces)] == seen.faces
    )


def _retracted_roll(rolls: Sequence[Rolled], holders: Mapping[int | None, Rolled]) -> RetractedRoll:
    holder = holders.get(rolls[0].drawn)
    return RetractedRoll(
        number=rolls[0].drawn,
        rolls=[SeenRoll(seq=r.seq, roller=r.roller, purpose=r.purpose, faces=r.faces) for r in rolls],
        stands_as=holder.seq if holder is not None else None,
        by_hand=holder is not None and holder.dice_source is FaceOrigin.TABLE,
        shared=rolls[0].dice_source is FaceOrigin.SHARED,
    )
