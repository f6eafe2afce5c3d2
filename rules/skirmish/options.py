"""The optional rules of a skirmish: they are settled when it opens, with the whole library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Data
from rules.engine.validation import validated
from rules.skirmish.checking import as_card, check_library, check_names, refuse_faulty
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


def with_packs(options: Data, packs: Sequence[Mapping[str, Data]]) -> Data:
    """The options with the abilities and cards of packs among the entries of one's own; the last pack goes first."""
    brought: Data = {}
    for pack in packs:
        brought |= pack.get("abilities", {})
        brought |= {name: as_card(entry) for name, entry in pack.get("cards", {}).items()}
    if not brought:
        return options
    own = options.get("library")
    refuse_faulty(check_library(own) if own is not None else [])
    more = own if own is not None else {"abilities": {}}
    return {**options, "library": {**more, "abilities": {**brought, **more["abilities"]}}}


def _settle_library(own: Any) -> Data:
    refuse_faulty(check_library(own) if own is not None else [])
    library = with_own(own)
    refuse_faulty(check_names(library))
    return library
