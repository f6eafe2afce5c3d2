"""What every event has in common: the envelope, and the small value types that payloads share."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

Position = tuple[int, int]
"""A place on the grid, as column and row from 0. Never an event's number."""

Ref = str
"""What something is, as `ruleset:type:name`, for example `dnd5e:condition:raging`."""

Data = dict[str, Any]
"""A ruleset's own data, opaque to the ledger: anything that JSON can hold."""


Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""Thirty-two bytes in hexadecimal: a hash or a seed."""


class Value(BaseModel):
    """A part of an event's payload."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(BaseModel):
    """The envelope that every event carries."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    class_version: ClassVar[int] = 1
    """The schema version of this kind; raise it together with an upcast (see `ledger.registry`)."""
    written_by: ClassVar[str]
    read_by: ClassVar[str]

    kind: str = Field(description="what happened; tells the kinds of events apart")
    encounter: UUID = Field(description="the fight this belongs to")
    seq: int = Field(ge=1, description="the number of this event in its encounter, from 1 and without gaps")
    recorded_at: datetime = Field(description="when the command that caused it was carried out (UTC)")
    declaration: int = Field(ge=1, description="seq of the declaration this belongs to: its causal group")
    cause: int | None = Field(default=None, description="seq of the event that directly caused it")
    round: int = Field(default=0, description="the round it happened in; 0 before the first")
    turn: str | None = Field(default=None, description="whose turn it was")
    by: str = Field(default="system", description="who said it: the GM, a player, or the system")

    @property
    def originator_id(self) -> UUID:
        return self.encounter

    @property
    def originator_version(self) -> int:
        return self.seq


class Commanded(Event):
    """An event that a person's command caused directly.

    The command's id makes a repeated command harmless: the fold knows which have been carried out.
    """

    command: UUID = Field(description="id of the command; a second command with the same id does nothing")


class Gauge(Value):
    """A quantity with an upper bound: hit points, an action, movement."""

    current: int
    maximum: int | None = None


class Controller(StrEnum):
    """Who answers for a combatant. It decides which reactions are asked for and which are automatic."""

    PLAYER = "player"
    GM = "gm"


class Policy(StrEnum):
    """What a combatant does with an offered reaction when nobody is asked first."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"
    WHEN_USEFUL = "when useful"
