"""Committed and shared rolls that were seen and taken back. Nobody cheated by that alone, but everybody should know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from pydantic import BaseModel, computed_field

from combatlog.rules.engine.roll_history import Identity, RollHistory
from ledger.events import Event, Face, FaceOrigin, Rolled
from projections.timeline import standing


class SeenRoll(BaseModel):
    """A roll as it was on record."""

    seq: int
    roller: str
    purpose: str
    faces: tuple[Face, ...]


class TakenBack(BaseModel):
    """A number whose faces were seen and then taken back, or replaced by others."""

    number: int | None
    """None: the roll was recorded before rolls had numbers."""
    rolls: list[SeenRoll]
    """What was taken back, in order."""
    stands_as: int | None
    """The roll that holds the number now; None: nobody has rolled it again."""
    by_hand: bool
    """People gave the faces of the roll that stands now."""
    shared: bool = False
    """It was a roll of shared dice: if it is made again, the links are new, and so are the faces."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def times(self) -> int:
        """How often it was taken back."""
        return len(self.rolls)


def taken_back(events: Sequence[Event], encounter: UUID) -> list[TakenBack]:
    """Every committed or shared roll of an encounter that does not count as it was rolled. This needs no seed."""
    history = RollHistory(events)
    counting = [event for event in standing(events) if isinstance(event, Rolled) and event.encounter == encounter]
    still: defaultdict[Identity, list[Rolled]] = defaultdict(list)
    for roll in counting:
        still[history.identity(roll)].append(roll)
    seen: dict[int | Identity, dict[tuple[Identity, tuple[Face, ...]], Rolled]] = {}
    for event in events:
        if isinstance(event, Rolled) and event.encounter == encounter and event.dice_source in _KEPT_SECRET:
            identity = history.identity(event)
            if not any(_counts(event, roll) for roll in still[identity]):
                place = event.drawn if event.drawn is not None else identity
                seen.setdefault(place, {}).setdefault((identity, event.faces), event)
    holders: dict[int | None, Rolled] = {roll.drawn: roll for roll in counting if roll.drawn is not None}
    return [_taken_back(list(rolls.values()), holders) for rolls in seen.values()]


_KEPT_SECRET = {FaceOrigin.COMMITTED, FaceOrigin.SHARED}
"""Dice that nobody may know beforehand."""


def _counts(seen: Rolled, stands: Rolled) -> bool:
    """Whether the faces that were seen are those of the roll that stands, which may have needed more of them."""
    return (
        stands.dice_source is seen.dice_source
        and seen.drawn in (None, stands.drawn)
        and stands.faces[: len(seen.faces)] == seen.faces
    )


def _taken_back(rolls: Sequence[Rolled], holders: Mapping[int | None, Rolled]) -> TakenBack:
    holder = holders.get(rolls[0].drawn)
    return TakenBack(
        number=rolls[0].drawn,
        rolls=[SeenRoll(seq=r.seq, roller=r.roller, purpose=r.purpose, faces=r.faces) for r in rolls],
        stands_as=holder.seq if holder is not None else None,
        by_hand=holder is not None and holder.dice_source is FaceOrigin.TABLE,
        shared=rolls[0].dice_source is FaceOrigin.SHARED,
    )
