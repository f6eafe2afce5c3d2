"""Declarations about consent. They change nothing: what comes of them is the command that was proposed."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.options import Options
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared


class Proposing(Options):
    message: str | None = Field(default=None, max_length=100, description="what is proposed: the name of a message")
    fields: Data = Field(default_factory=dict, description="the fields of that message")
    correction: str | None = Field(default=None, max_length=10, description="`message`, as older proposals call it")
    what: Data = Field(default_factory=dict, description="`fields`, as older proposals call them")
    plan: Data = Field(description="what it would do")
    again: int | None = Field(default=None, ge=1, description="seq of the proposal that was overtaken by events")


class Answering(Options):
    proposal: int = Field(ge=1, description="seq of the proposal")
    agree: bool = Field(description="whether they agree")
    reason: str = Field(default="", max_length=2000, description="why")


class Overruling(Options):
    proposal: int = Field(ge=1, description="seq of the proposal")
    reason: str = Field(min_length=1, max_length=2000, description="why")


def on_record(table: Table, rules: Ruleset, declared: Declared) -> None:
    """That it was said is all there is to it."""
