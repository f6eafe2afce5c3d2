"""Properties that tell people what to do, and do nothing else."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictStr

from combatlog.rules.skirmish.registry import Flag, manual


@manual("logMessage", Annotated[StrictStr, Field(min_length=1, max_length=300)], does="people carry it out")
def say(message: str, label: str) -> str:
    return message


@manual("informational", Flag, does="people carry it out")
def inform(_: bool, label: str) -> str:
    return label
