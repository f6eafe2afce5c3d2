"""The roll family: chance, with every face on record."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Event, Hex32, Key, Name, Notation, Ref, Value, Who

Face = int | Key
"""A number, or the name of a face on a die without numbers."""


class RollMode(StrEnum):
    """With which of two dice a roll is made: the higher, the lower, or with one die only."""

    NORMAL = "normal"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class FaceOrigin(StrEnum):
    """Where the faces came from: a random generator, a public seed, people's own dice, a committed secret seed, or the
    log of another tool, which does not say."""

    RNG = "rng"
    SEED = "seed"
    TABLE = "table"
    COMMITTED = "committed"
    RECORDED = "recorded"


class RollModifier(Value):
    """A number added to the dice."""

    source: Ref = Field(description="what adds it")
    amount: int = Field(description="how much it adds; below zero it subtracts")


class Contribution(Value):
    """A secret that one party revealed for a roll. Nothing writes it yet: it is there for dice that several share."""

    party: Name = Field(description="who revealed it")
    secret: Hex32 = Field(description="the secret, which the party had committed itself to before")


class Rolled(Event):
    """Dice were rolled: every face, which ones counted, what was added, and the total."""

    class_version: ClassVar[int] = 3
    written_by: ClassVar[str] = "the table's verb `roll`"
    read_by: ClassVar[str] = "the tape, explanations, statistics"

    kind: Literal["rolled"] = "rolled"
    purpose: Key = Field(
        description="what the roll is for: `attack`, `damage`, `dex save` ... The tape finds a recorded roll by its "
        "purpose and roller, so a purpose is a stable identifier and not text"
    )
    chain: Key | None = Field(
        default=None, description="the chain whose modifiers decided this roll; absent: the roll has no chain"
    )
    roller: Who = Field(description="the combatant whose roll it is")
    notation: Notation = Field(description="the dice that were rolled")
    mode: RollMode = Field(default=RollMode.NORMAL, description="with advantage, with disadvantage, or normal")
    faces: tuple[Face, ...] = Field(description="every face, in the order rolled")
    kept: tuple[Face, ...] = Field(description="the faces that count")
    modifiers: tuple[RollModifier, ...] = Field(default=(), description="what is added to the dice")
    total: int = Field(description="the kept faces and the modifiers together")
    dice_source: FaceOrigin = Field(description="where the faces came from")
    drawn: int | None = Field(
        default=None,
        ge=1,
        description="with committed dice: the number of the roll, from which its faces follow; a roll that is taken "
        "back gives its number to the next one. Absent: other dice, or the faces follow from the event's number, as "
        "before version 3",
    )
    contributions: tuple[Contribution, ...] | None = Field(
        default=None,
        description="the secrets from which the faces follow, if several parties share the dice; absent: they do not",
    )
