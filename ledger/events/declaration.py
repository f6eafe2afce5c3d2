"""The declaration family: what people say that their combatants do."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Commanded, Data, Key, Name, Position, Prose, Ref, Value, Who
from ledger.events.chain import Change


class Adjustment(Value):
    """A correction of a chain: a forgotten modifier, or one that should not have counted."""

    chain: Key = Field(description="which chain of the declaration")
    source: Ref = Field(description="the source of the modifier")
    owner: Who = Field(description="the combatant it belongs to")
    reason: Prose = Field(description="why the chain is corrected")
    change: Change | None = Field(
        default=None, description="what is added; absent: the modifiers of this source are removed"
    )


class Declared(Commanded):
    """A combatant or the GM declares an action. The root of a causal group: all events that follow name its seq."""

    written_by: ClassVar[str] = "every command that changes a fight, except answers to a window and corrections"
    read_by: ClassVar[str] = "the timeline, the log, explanations"

    kind: Literal["declared"] = "declared"
    actor: Who = Field(description="the combatant that acts; `gm` if none does")
    action: Ref = Field(description="what is done")
    targets: tuple[Who, ...] = Field(default=(), description="its targets, in the order named")
    destination: Position | None = Field(default=None, description="the square that it is aimed at or leads to")
    weapon: Name | None = Field(default=None, description="the weapon used, as the sheet names it")
    options: Data = Field(default_factory=dict, description="the other options of the action")
    adjustments: tuple[Adjustment, ...] = Field(default=(), description="corrections of its chains by an amendment")
    as_seen: Literal[True] | None = Field(
        default=None, description="paths are found as if combatants that the actor's side does not see were not there"
    )
