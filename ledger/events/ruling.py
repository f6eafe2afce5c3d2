"""The ruling family: a person decides where the rules do not, or otherwise than they do."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Event


class Ruled(Event):
    """A GM's override. What it changes follows as ordinary outcomes caused by it."""

    written_by: ClassVar[str] = "`combatlog rule`"
    read_by: ClassVar[str] = "log, explain, statistics, open questions"

    kind: Literal["ruled"] = "ruled"
    ruling: str = Field(description="what was ruled, in words")
    reason: str = Field(min_length=1)
    subject: str | None = Field(default=None, description="the combatant it is about")
    answers: int | None = Field(default=None, description="seq of the `manual_resolution_needed` that it settles")


class ManualResolutionNeeded(Event):
    """The engine stops here: a person has to say what happens."""

    written_by: ClassVar[str] = "the rules, for an effect that has no implementation"
    read_by: ClassVar[str] = "log, status, open questions"

    kind: Literal["manual_resolution_needed"] = "manual_resolution_needed"
    subject: str
    effect: str = Field(description="what could not be resolved, in words")
    source: str
