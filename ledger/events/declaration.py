"""The declaration family: what someone said they do."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Commanded, Data, Position, Ref


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
