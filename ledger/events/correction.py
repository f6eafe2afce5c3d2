"""The correction family: nothing is deleted; a correction is an event that folds take into account."""

from __future__ import annotations

from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from ledger.events.base import Commanded, Data, Hex32, Name, Prose, Value

_RETRACTS = (
    "seqs of the declarations that no longer stand, including those that come out differently and are recorded again "
    "after this event; all other declarations stay as they are"
)
_PLACES = (
    "the places, in order, of events that this correction records and that come before events that stay; all other "
    "new events come last"
)


class Run(Value):
    """Events that a correction records and whose place is earlier than their position in the log."""

    first: int = Field(ge=2, description="seq of the first of these events")
    last: int = Field(ge=2, description="seq of the last of them")
    after: int = Field(ge=1, description="seq of the event right before their place")


class Undone(Commanded):
    """Declarations are taken back: from now on, their events no longer count."""

    class_version: ClassVar[int] = 2
    written_by: ClassVar[str] = "an undo"
    read_by: ClassVar[str] = "the timeline, the audit trail"

    kind: Literal["undone"] = "undone"
    retracts: tuple[int, ...] = Field(description=_RETRACTS)
    places: tuple[Run, ...] = Field(default=(), description=_PLACES)
    reason: Prose = Field(description="why they are taken back")


class Redone(Commanded):
    """A correction is taken back: what it retracted stands again, and what it recorded no longer does."""

    written_by: ClassVar[str] = "a redo"
    read_by: ClassVar[str] = "the timeline, the audit trail"

    kind: Literal["redone"] = "redone"
    undone: int = Field(description="seq of the correction that is taken back")
    reason: Prose = Field(description="why it is taken back")


class Amended(Commanded):
    """A declaration is replaced by a corrected one, as are later ones that come out differently."""

    class_version: ClassVar[int] = 2
    written_by: ClassVar[str] = "an amendment"
    read_by: ClassVar[str] = "the timeline, the audit trail"

    kind: Literal["amended"] = "amended"
    amends: int = Field(description="seq of the declaration that was wrong")
    retracts: tuple[int, ...] = Field(description=_RETRACTS)
    places: tuple[Run, ...] = Field(default=(), description=_PLACES)
    changes: Data = Field(description="what was corrected: targets, options, modifiers, faces or answers")
    reason: Prose = Field(description="why it is corrected")


class Inserted(Commanded):
    """A forgotten declaration is made at an earlier point; later ones that come out differently are recorded again."""

    written_by: ClassVar[str] = "an insertion"
    read_by: ClassVar[str] = "the timeline, the audit trail"

    kind: Literal["inserted"] = "inserted"
    after: int = Field(ge=1, description="seq of the event right before the place of the forgotten declaration")
    retracts: tuple[int, ...] = Field(description=_RETRACTS)
    places: tuple[Run, ...] = Field(default=(), description=_PLACES)
    reason: Prose = Field(description="why it is declared only now")


class Forked(Commanded):
    """This encounter shares the past of another up to a seq, and continues on its own from here."""

    written_by: ClassVar[str] = "a fork; always the first event of its own encounter"
    read_by: ClassVar[str] = "the store, the timeline"

    kind: Literal["forked"] = "forked"
    parent: UUID = Field(description="the encounter whose past is shared")
    at: int = Field(description="seq of the last shared event")
    name: Name = Field(description="the name of the new encounter, unique in the ledger")
    commitment: Hex32 | None = Field(
        default=None,
        description="with committed or shared dice: SHA-256 of the fork's own seed; the parent's stays secret",
    )
