"""The chain family: modifiers that are collected before a roll or a value is determined."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Event, Key, Notation, Prose, Ref, Value, Who


class ChangeOp(StrEnum):
    """The operation of a modifier."""

    BONUS = "bonus"
    DICE = "dice"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"
    CRITICAL_FROM = "critical_from"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    FLAG = "flag"


class Change(Value):
    """One change in typed form. Parts that the operation does not use are absent."""

    op: ChangeOp = Field(description="the operation")
    amount: int | None = Field(default=None, description="the bonus, threshold, factor or divisor")
    dice: Notation | None = Field(default=None, description="for `dice`: the dice that are added")
    label: Key | None = Field(default=None, description="what it applies to: a damage type, a symbol, a flag's name")


class ChainModified(Event):
    """One contribution to a chain: its owner, source, stage, change and reason."""

    written_by: ClassVar[str] = "the rules, once for each contribution, before the roll"
    read_by: ClassVar[str] = "explanations, statistics"

    kind: Literal["chain_modified"] = "chain_modified"
    chain: Key = Field(description="what is modified: `attack`, `damage`, `save`, `armor_class` ...")
    stage: Key = Field(description="the stage of the chain; stages run in a fixed order")
    source: Ref = Field(description="what contributes: a feature, a condition, a weapon, a rule")
    owner: Who = Field(description="the combatant whose feature, condition or item it is")
    reason: Prose = Field(description="why it applies here")
    change: Change = Field(description="what it changes")
