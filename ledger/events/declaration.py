"""The declaration family: what someone said they do."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Commanded, Data, Position, Ref, Value
from ledger.events.chain import Change


class Adjustment(Value):
    """A correction of a chain: a modifier that was forgotten, or one that should not have counted."""

    chain: str = Field(description="which chain of the declaration")
    source: Ref = Field(description="what contributes, or what must not")
    owner: str = Field(description="whose it is")
    reason: str
    change: Change | None = Field(default=None, description="what it adds; None: the source's modifiers are left out")


class Declared(Commanded):
    """Someone said what they do. The root of a causal group: all that follows from it names its seq."""

    written_by: ClassVar[str] = "every command that changes a fight, except answers and corrections"
    read_by: ClassVar[str] = "timeline, log, explain"

    kind: Literal["declared"] = "declared"
    actor: str = Field(description="the combatant that acts; `gm` where nobody in the fight does")
    action: Ref = Field(description="what is done")
    targets: tuple[str, ...] = ()
    destination: Position | None = None
    weapon: str | None = None
    options: Data = Field(default_factory=dict, description="whatever else the action takes")
    adjustments: tuple[Adjustment, ...] = Field(default=(), description="corrections of its chains, by an amendment")
