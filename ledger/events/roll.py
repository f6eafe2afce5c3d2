"""The roll family: chance, with every face on record."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Event, Value

Face = int | str
"""A number, or the name of a face on a die that has none."""


class RollMode(StrEnum):
    NORMAL = "normal"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class FaceOrigin(StrEnum):
    """Where the faces came from."""

    RNG = "rng"
    SEED = "seed"
    TABLE = "table"
    COMMITTED = "committed"


class RollModifier(Value):
    """A number added to the dice."""

    source: str
    amount: int


class Rolled(Event):
    """Dice were rolled: every face, which ones counted, what was added, the total."""

    written_by: ClassVar[str] = "the table's verb `roll`"
    read_by: ClassVar[str] = "the tape, explain, statistics"

    kind: Literal["rolled"] = "rolled"
    purpose: str = Field(description="what for: attack, damage, initiative, save ...")
    roller: str = Field(description="the combatant whose roll it is")
    notation: str
    mode: RollMode = RollMode.NORMAL
    faces: tuple[Face, ...] = Field(description="every face, in the order rolled")
    kept: tuple[Face, ...] = Field(description="the faces that count")
    modifiers: tuple[RollModifier, ...] = ()
    total: int = Field(description="kept faces and modifiers together")
    dice_source: FaceOrigin
