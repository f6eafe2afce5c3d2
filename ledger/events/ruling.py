"""The ruling family: a person decides something that the rules leave open, or overrides them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Event, Prose, Ref, Who


class Ruled(Event):
    """A GM's ruling. Its changes follow as ordinary outcomes, with this event as their cause."""

    written_by: ClassVar[str] = "a ruling, and a correction that keeps an outcome as a ruling"
    read_by: ClassVar[str] = "the log, explanations, statistics, open questions"

    kind: Literal["ruled"] = "ruled"
    ruling: Prose = Field(description="what was ruled")
    reason: Prose = Field(min_length=1, description="why")
    subject: Who | None = Field(default=None, description="the combatant it is about")
    answers: int | None = Field(default=None, description="seq of the `manual_resolution_needed` that it answers")


class ManualResolutionNeeded(Event):
    """The engine cannot resolve something: a person has to say what happens."""

    written_by: ClassVar[str] = "the rules, for an effect that has no implementation"
    read_by: ClassVar[str] = "the log, the state, open questions"

    kind: Literal["manual_resolution_needed"] = "manual_resolution_needed"
    subject: Who = Field(description="the combatant it is about")
    effect: Prose = Field(description="what has to be resolved")
    source: Ref = Field(description="the card, ability or attack that it comes from")
