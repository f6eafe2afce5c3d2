"""The reaction family: moments where others may step in, and what they made of them."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from ledger.events.base import Data, Event, Ref, Value


class DecidedBy(StrEnum):
    PERSON = "person"
    POLICY = "policy"


class Offer(Value):
    """What one combatant may do in a window."""

    reactor: str
    reactions: tuple[Ref, ...]
    useful: tuple[Ref, ...] = Field(default=(), description="those that could change the outcome")


class ReactionWindowOpened(Event):
    """A moment where the named combatants may react. They are asked in this order, each once."""

    written_by: ClassVar[str] = "the table's verb `window`"
    read_by: ClassVar[str] = "the open window, explain"

    kind: Literal["reaction_window_opened"] = "reaction_window_opened"
    moment: str = Field(description="which moment of the resolution, for example `attack.declared`")
    subject: str = Field(description="whose action may be reacted to")
    offers: tuple[Offer, ...]


class ReactionChosen(Event):
    """A combatant takes an offered reaction. What it does follows; `ReactionUsed` tells when it is spent."""

    written_by: ClassVar[str] = "`combatlog react`, or a policy"
    read_by: ClassVar[str] = "the tape, the open window"

    kind: Literal["reaction_chosen"] = "reaction_chosen"
    window: int = Field(description="seq of the window")
    reactor: str
    reaction: Ref
    options: Data = Field(default_factory=dict, description="whatever else the reaction takes")
    decided_by: DecidedBy
    command: UUID | None = Field(default=None, description="id of the answering command, if it came by one")


class ReactionDeclined(Event):
    """A combatant lets an offered reaction pass."""

    written_by: ClassVar[str] = "`combatlog react`, or a policy"
    read_by: ClassVar[str] = "the tape, the open window, explain, statistics"

    kind: Literal["reaction_declined"] = "reaction_declined"
    window: int = Field(description="seq of the window")
    reactor: str
    decided_by: DecidedBy
    command: UUID | None = Field(default=None, description="id of the answering command, if it came by one")


class ReactionUsed(Event):
    """A reaction was consumed. One that a chain consumed is recorded after that chain."""

    written_by: ClassVar[str] = "the rules, after the chain that consumed it"
    read_by: ClassVar[str] = "explain, statistics"

    kind: Literal["reaction_used"] = "reaction_used"
    reactor: str
    reaction: Ref
    reason: str
