"""The optional rules of a skirmish: they are settled when it opens, with the whole library."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Data
from rules.content import validated
from rules.skirmish.checking import check_library, check_names, refuse_faulty
from rules.skirmish.library import with_own


class Options(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    library: Any = Field(default=None, description="entries of one's own, as in a library file; None: the shipped ones")
    hand: int = Field(default=3, ge=0, le=20, description="cards drawn at the start")
    draw: int = Field(default=1, ge=0, le=10, description="cards drawn at the end of a round")
    victory: int = Field(default=40, ge=1, le=1000, description="victory points that win")


def settle(options: Data) -> Data:
    """Checked, and with the library in full: a fight does not depend on what the shipped one becomes."""
    read = validated(Options, options, "options/invalid", "The option")
    return {**read.model_dump(), "library": _settle_library(read.library)}


def _settle_library(own: Any) -> Data:
    refuse_faulty(check_library(own) if own is not None else [])
    library = with_own(own)
    refuse_faulty(check_names(library))
    return library
