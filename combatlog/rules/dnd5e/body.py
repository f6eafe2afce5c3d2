"""What a creature's body can do: the ways it moves, and the senses it has besides its eyes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from combatlog.rules.dnd5e.sheet_part import Part

Speed = Annotated[int, Field(ge=0, le=400, multiple_of=5)]
Feet = Annotated[int, Field(ge=0, le=1000)]


class Speeds(Part):
    """Speeds besides walking, in feet; 0 if it has none of that kind."""

    walk: Speed | None = Field(default=None, description="another way to write the sheet's speed")
    fly: Speed = 0
    swim: Speed = 0
    climb: Speed = 0
    burrow: Speed = 0
    hover: bool = Field(default=False, description="whether it stays in the air when it is knocked down or cannot move")


class Senses(Part):
    """How far it perceives without light or without its eyes, in feet; 0 if it does not."""

    darkvision: Feet = 0
    blindsight: Feet = 0
    tremorsense: Feet = 0
    truesight: Feet = 0


class Stride(Part):
    """Movement outside of one's turn, or on top of it."""

    share: Literal["half", "full"] = Field(default="half", description="how much of its speed")
    gait: Literal["walk", "fly", "swim"] | None = Field(default=None, description="the way it moves; any if omitted")
    slips: bool = Field(default=False, description="it provokes no opportunity attacks")
    when: Literal["before", "after"] = Field(default="after", description="before or after what it does besides")
