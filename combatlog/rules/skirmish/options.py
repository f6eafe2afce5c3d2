"""The options that a skirmish is opened with, and the library that is recorded with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from combatlog.rules.engine.options import EncounterOptions
from combatlog.rules.skirmish.board import Space, read_space
from combatlog.rules.skirmish.library import with_own
from combatlog.rules.skirmish.library_file import as_card, sift, usable
from ledger.events import Data

LIBRARY = "library"


def _side_by_side(text: str) -> str:
    (x, y), (u, v) = (read_space(part) for part in text.split("|"))
    if abs(x - u) + abs(y - v) != 1:
        raise ValueError(f"{text} does not name two spaces side by side")
    return text


Wall = Annotated[str, Field(pattern=r"^\d{1,3},\d{1,3}\|\d{1,3},\d{1,3}$"), AfterValidator(_side_by_side)]


class SkirmishOptions(EncounterOptions):
    """What a skirmish can be opened with."""

    library: Any = Field(default=None, description="entries of your own for the ability library, as in a library file")
    hand: int = Field(default=3, ge=0, le=20, description="how many cards each player draws at the start")
    draw: int = Field(default=1, ge=0, le=10, description="how many cards each player draws when a round ends")
    walls: tuple[Wall, ...] | None = Field(
        default=None, max_length=2000, description="walls between two spaces side by side, each as 3,2|4,2"
    )
    blocking: tuple[Space, ...] | None = Field(
        default=None, max_length=2000, description="spaces with terrain that stops steps and sight, each as 3,2"
    )
    impassable: tuple[Space, ...] | None = Field(
        default=None, max_length=2000, description="spaces with terrain that stops steps but not sight, each as 3,2"
    )
    terminals: tuple[Space, ...] | None = Field(
        default=None, max_length=50, description="spaces with a terminal, each as 3,2; controlling one draws a card"
    )
    exterior: tuple[Space, ...] | None = Field(
        default=None, max_length=2000, description="spaces that are outside, each as 3,2; some cards ask for it"
    )
    army: int | None = Field(
        default=None, ge=1, le=1000, description="the points of an army, usually 40; by default, armies are not checked"
    )
    figures_block_sight: bool | None = Field(
        default=None, description="whether figures block the line of sight, except to and from massive ones"
    )
    victory: int = Field(default=40, ge=1, le=1000, description="the victory points that win the skirmish")


def with_packs(options: Data, packs: Sequence[Mapping[str, Data]]) -> Data:
    """The options with the abilities and cards of packs added to the library; a later pack replaces an earlier one."""
    brought: Data = {}
    for pack in packs:
        brought |= pack.get("abilities", {})
        brought |= {name: as_card(entry) for name, entry in pack.get("cards", {}).items()}
    if not brought:
        return options
    own = options.get(LIBRARY)
    more = usable(sift(own)) if own is not None else {"abilities": {}}
    return {**options, LIBRARY: {**more, "abilities": {**brought, **more["abilities"]}}}


def settled_library(own: Any) -> Data:
    """The library in full, so that a recorded fight does not depend on later changes to the shipped one."""
    return with_own(usable(sift(own)) if own is not None else None)
