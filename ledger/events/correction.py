"""The correction family: nothing is deleted; a correction is an event that the folds respect."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from ledger.events.base import Commanded, Data, Hex32


class Undone(Commanded):
    """Declarations are retracted: from here on their events do not count."""

    written_by: ClassVar[str] = "a correction"
    read_by: ClassVar[str] = "timeline"

    kind: Literal["undone"] = "undone"
    retracts: tuple[int, ...] = Field(description="seqs of the declarations that no longer stand")
    reason: str


class Redone(Commanded):
    """A correction is taken back: what it retracted stands again, what it put in its place does not."""

    written_by: ClassVar[str] = "a correction"
    read_by: ClassVar[str] = "timeline"

    kind: Literal["redone"] = "redone"
    undone: int = Field(description="seq of the correction that is taken back")
    reason: str


class Amended(Commanded):
    """A declaration is replaced by a corrected one; those after it are resolved again."""

    written_by: ClassVar[str] = "a correction"
    read_by: ClassVar[str] = "timeline"

    kind: Literal["amended"] = "amended"
    amends: int = Field(description="seq of the declaration that was wrong")
    retracts: tuple[int, ...] = Field(description="seqs of the declarations that no longer stand")
    changes: Data = Field(description="what was corrected")
    reason: str


class Forked(Commanded):
    """This encounter shares the past of another up to a seq, and goes its own way from here."""

    written_by: ClassVar[str] = "a correction"
    read_by: ClassVar[str] = "the store, timeline"

    kind: Literal["forked"] = "forked"
    parent: UUID
    at: int = Field(description="the last shared seq")
    name: str
    commitment: Hex32 | None = Field(
        default=None, description="with committed dice: SHA-256 of the fork's own seed; the parent's stays secret"
    )
