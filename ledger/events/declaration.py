"""The declaration family: what someone said they do."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Commanded, Data, Key, Name, Position, Prose, Ref, Value, Who
from ledger.events.chain import Change


class Adjustment(Value):
    """A correction of a chain: a modifier that was forgotten, or one that should not have counted."""

    chain: Key = Field(description="which chain of the declaration")
    source: Ref = Field(description="what contributes, or what must not")
    owner: Who = Field(description="the combatant it belongs to")
    reason: Prose = Field(description="why the chain is corrected")
    change: Change | None = Field(
        default=None, description="what is added; absent: the modifiers of this source are left out"
    )


class Declared(Commanded):
    """Someone said what they do. The root of a causal group: everything that follows from it names its seq."""

    written_by: ClassVar[str] = "every command that changes a fight, except answers to a window and corrections"
    read_by: ClassVar[str] = "the timeline, the log, explanations"

    kind: Literal["declared"] = "declared"
    actor: Who = Field(description="the combatant that acts; `gm` where nobody in the fight does")
    action: Ref = Field(description="what is done")
    targets: tuple[Who, ...] = Field(default=(), description="the combatants it is aimed at, in the order named")
    destination: Position | None = Field(default=None, description="the square it is aimed at or leads to")
    weapon: Name | None = Field(default=None, description="the weapon it is done with, as the sheet calls it")
    options: Data = Field(default_factory=dict, description="whatever else the action takes")
    adjustments: tuple[Adjustment, ...] = Field(default=(), description="corrections of its chains by an amendment")
    as_seen: Literal[True] | None = Field(
        default=None, description="a way that it takes is found without those whom the actor's side does not see"
    )
