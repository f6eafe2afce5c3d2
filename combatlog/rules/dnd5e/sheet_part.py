"""What the parts of a sheet have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A part of a sheet."""

    model_config = ConfigDict(frozen=True, extra="forbid")
