"""What somebody brings along from an earlier fight. It is recorded in full where it joins, so that resolving the
declaration again needs no other fight."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Data, Gauge


class CarriedCondition(BaseModel):
    """A condition that outlasts its fight. Whoever caused it stays behind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    condition: str = Field(max_length=200, description="the ref of the condition")
    source: str = Field(max_length=200, description="what it comes from")
    level: int | None = Field(default=None, description="its level, if it has levels")
    data: Data = Field(default_factory=dict, description="what the condition has to remember")


class Carried(BaseModel):
    """A combatant as it stood in an earlier fight."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fight: UUID = Field(description="the id of the earlier fight")
    seq: int = Field(ge=1, description="the last event of that fight that counts")
    combatant: str = Field(max_length=200, description="its id there")
    vitals: dict[str, int] = Field(default_factory=dict, description="hit points and the like, by name")
    resources: dict[str, Gauge] = Field(default_factory=dict, description="slots, uses and items, by name")
    conditions: tuple[CarriedCondition, ...] = Field(default=(), description="the conditions that last")
