"""The note family: people's own notes, and text for which there is no other event."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from ledger.events.base import Event, Prose, Who


class NoteAbout(StrEnum):
    """Why it is a note: people's own words, text that could not be parsed, or a result that lacks too much."""

    SAID = "said"
    UNREAD = "unread"
    INCOMPLETE = "incomplete"


class Noted(Event):
    """Text that is kept as it is."""

    written_by: ClassVar[str] = "the declaration `note`; importing another tool's log"
    read_by: ClassVar[str] = "the log"

    kind: Literal["noted"] = "noted"
    about: NoteAbout = Field(description="why it is a note")
    text: Prose = Field(description="the text, without characters that cannot be stored")
    cut: bool = Field(default=False, description="whether the original text is longer")
    who: Who | None = Field(default=None, description="the combatant it is about; absent: none in particular")
