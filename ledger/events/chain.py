"""The chain family: modifiers collected before the thing they modify is rolled."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Event, Ref, Value


class ChangeOp(StrEnum):
    """How a modifier changes what its chain is about."""

    BONUS = "bonus"
    DICE = "dice"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"
    CRITICAL_FROM = "critical_from"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    FLAG = "flag"


class Change(Value):
    """One change in typed form. `None` means that the operation has no such part."""

    op: ChangeOp
    amount: int | None = Field(default=None, description="bonus, threshold, factor or divisor")
    dice: str | None = Field(default=None, description="dice notation, for `dice`")
    label: str | None = Field(default=None, description="a damage type, or the name of a flag")


class ChainModified(Event):
    """One contribution to a chain: who changed what, in which stage, and why."""

    written_by: ClassVar[str] = "the rules, one for each contribution, before the roll"
    read_by: ClassVar[str] = "explain, statistics"

    kind: Literal["chain_modified"] = "chain_modified"
    chain: str = Field(description="what is modified: attack, damage, movement, save ...")
    stage: str = Field(description="when in the chain; stages run in a fixed order")
    source: Ref = Field(description="what contributes")
    owner: str = Field(description="whose feature, condition or item it is")
    reason: str
    change: Change
