"""The roll family: dice rolls, with every face on record."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from ledger.events.base import Event, Hex32, Key, Name, Notation, Ref, Value, Who

Face = int | Key
"""A number, or the name of a face on a die without numbers."""


class RollMode(StrEnum):
    """Whether a roll uses one die, or the higher or the lower of two."""

    NORMAL = "normal"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class FaceOrigin(StrEnum):
    """Where the faces came from: a random generator, a public seed, people's own dice, a committed secret seed, secrets
    of both the host and a player, or the log of another tool."""

    RNG = "rng"
    SEED = "seed"
    TABLE = "table"
    COMMITTED = "committed"
    SHARED = "shared"
    RECORDED = "recorded"


class RollModifier(Value):
    """A number added to the dice."""

    source: Ref = Field(description="what adds it")
    amount: int = Field(description="how much it adds; negative: it subtracts")


class Contribution(Value):
    """A secret that one party revealed for a roll of shared dice: one link of its chain."""

    party: Name = Field(description="who revealed it: `host`, or the combatant whose player did")
    secret: Hex32 = Field(description="the secret, to which the party had committed before")


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
        default=None, description="the chain whose modifiers apply to this roll; absent: the roll has no chain"
    )
    roller: Who = Field(description="the combatant whose roll it is")
    notation: Notation = Field(description="the dice that were rolled")
    mode: RollMode = Field(default=RollMode.NORMAL, description="with advantage, with disadvantage, or normal")
    faces: tuple[Face, ...] = Field(description="every face, in the order of rolling")
    kept: tuple[Face, ...] = Field(description="the faces that count")
    modifiers: tuple[RollModifier, ...] = Field(default=(), description="what is added to the dice")
    total: int = Field(description="the sum of the kept faces, the constant in the notation and the modifiers")
    dice_source: FaceOrigin = Field(description="where the faces came from")
    drawn: int | None = Field(
        default=None,
        ge=1,
        description="with committed dice: the number of the roll, from which its faces are derived; a roll that is "
        "taken back frees its number for the next one. With shared dice: the seq of its first `link_asked`, which no "
        "other roll ever gets. Absent: other dice, or a roll from before version 3, whose faces are derived from the "
        "event's seq",
    )
    contributions: tuple[Contribution, ...] | None = Field(
        default=None,
        description="with shared dice: the links from which the faces are derived, the host's first; if it is the "
        "only one, the player withheld theirs. Absent: other dice",
    )


class LinksCommitted(Event):
    """A player commits to a chain of secrets for shared dice. The anchor fixes every link of the chain."""

    written_by: ClassVar[str] = "the declaration `sit`"
    read_by: ClassVar[str] = "rolls of shared dice, `verify`"

    kind: Literal["links_committed"] = "links_committed"
    party: Who = Field(description="the combatant that stands for the player")
    combatants: tuple[Who, ...] = Field(description="the combatants to whose rolls the player contributes")
    anchor: Hex32 = Field(description="SHA-256 of the first link, which is itself the SHA-256 of the second, and so on")


class LinkAsked(Event):
    """A roll of shared dice waits for a player's link. The dice and the host's link are now fixed."""

    written_by: ClassVar[str] = "the table's verb `roll`, with shared dice"
    read_by: ClassVar[str] = "the open window, the tape, `verify`"

    kind: Literal["link_asked"] = "link_asked"
    purpose: Key = Field(description="what the roll is for")
    roller: Who = Field(description="the combatant whose roll it is")
    notation: Notation = Field(description="the dice that are rolled")
    party: Who = Field(
        description="the combatant whose player is asked: the roller or, for a roll of the GM, another one"
    )
    binding: Hex32 = Field(description="SHA-256 of the host's link, which is revealed with the roll")
    first: int | None = Field(
        default=None, description="seq of the original question, if a correction repeats it; absent: it is new"
    )

    @property
    def number(self) -> int:
        """The number from which the host's link is derived, together with its seed."""
        return self.first or self.seq


class LinkRevealed(Event):
    """A player reveals the next link of a chain for a roll."""

    written_by: ClassVar[str] = "an answer to `link_asked`"
    read_by: ClassVar[str] = "the tape, `verify`"

    kind: Literal["link_revealed"] = "link_revealed"
    asked: int = Field(description="seq of the first `link_asked` of the roll")
    party: Who = Field(description="the combatant whose player reveals it")
    secret: Hex32 = Field(description="the link; its SHA-256 is the previous link, or the anchor")
    command: UUID | None = Field(default=None, description="id of the answering command")


class LinkWithheld(Event):
    """A player did not reveal a link. The roll continues with the host's link alone, or with real dice."""

    written_by: ClassVar[str] = "an answer to `link_asked`, by the player or the GM"
    read_by: ClassVar[str] = "the tape, `verify`"

    kind: Literal["link_withheld"] = "link_withheld"
    asked: int = Field(description="seq of the first `link_asked` of the roll")
    party: Who = Field(description="the combatant whose player did not reveal it")
    command: UUID | None = Field(default=None, description="id of the answering command")
