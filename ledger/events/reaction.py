"""The reaction family: windows in which combatants may react, and their decisions."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from ledger.events.base import Data, Event, Key, Prose, Ref, Value, Who


class DecidedBy(StrEnum):
    """Who decided about a reaction: a person, the combatant's policy, or the time limit."""

    PERSON = "person"
    POLICY = "policy"
    TIME = "time"
    """A person was asked but did not answer in time, so the encounter's rule for that case decided."""


class Offer(Value):
    """The reactions that one combatant may use in a window."""

    reactor: Who = Field(description="the combatant that may react")
    reactions: tuple[Ref, ...] = Field(description="the reactions it may choose from")
    useful: tuple[Ref, ...] = Field(default=(), description="the reactions that could change the outcome")


class ReactionWindowOpened(Event):
    """The named combatants may react. Each is asked once, in this order."""

    written_by: ClassVar[str] = "the table's verb `window`"
    read_by: ClassVar[str] = "the open window, explanations"

    kind: Literal["reaction_window_opened"] = "reaction_window_opened"
    moment: Key = Field(
        description="the moment of the resolution: `attack.declared` ... The tape finds a recorded answer by its "
        "moment and reactor, so a moment is a stable identifier and not text"
    )
    subject: Who = Field(description="the combatant whose action triggers the window")
    offers: tuple[Offer, ...] = Field(description="who may react, and how")


class ReactionChosen(Event):
    """A combatant uses an offered reaction. Its effects follow; `reaction_used` says when it is spent."""

    written_by: ClassVar[str] = "an answer to a window, or a policy"
    read_by: ClassVar[str] = "the tape, the open window, statistics"

    kind: Literal["reaction_chosen"] = "reaction_chosen"
    window: int = Field(description="seq of the window")
    reactor: Who = Field(description="the combatant that reacts")
    reaction: Ref = Field(description="the reaction that it uses")
    options: Data = Field(default_factory=dict, description="the other options of the reaction")
    decided_by: DecidedBy = Field(description="who decided: a person, a policy or the time limit")
    command: UUID | None = Field(default=None, description="id of the answering command; absent: no command answered")
    as_seen: Literal[True] | None = Field(
        default=None,
        description="paths, and targets that are not given, are found as if combatants that the reactor's side does "
        "not see were not there",
    )


class ReactionDeclined(Event):
    """A combatant declines an offered reaction."""

    written_by: ClassVar[str] = "an answer to a window, or a policy"
    read_by: ClassVar[str] = "the tape, the open window, explanations, statistics"

    kind: Literal["reaction_declined"] = "reaction_declined"
    window: int = Field(description="seq of the window")
    reactor: Who = Field(description="the combatant that does not react")
    decided_by: DecidedBy = Field(description="who decided: a person, a policy or the time limit")
    command: UUID | None = Field(default=None, description="id of the answering command; absent: no command answered")


class ReactionUsed(Event):
    """A reaction was spent. If a chain's modifier spends it, this event follows the chain."""

    written_by: ClassVar[str] = "the rules, when the reaction takes effect"
    read_by: ClassVar[str] = "explanations, statistics"

    kind: Literal["reaction_used"] = "reaction_used"
    reactor: Who = Field(description="the combatant whose reaction it was")
    reaction: Ref = Field(description="the reaction")
    reason: Prose = Field(description="what it was used for")


class ReactionLapsed(Event):
    """A reaction was chosen, but an earlier one made it impossible. It is not spent."""

    written_by: ClassVar[str] = "the rules, when the reaction would have taken effect"
    read_by: ClassVar[str] = "explanations, the story"

    kind: Literal["reaction_lapsed"] = "reaction_lapsed"
    reactor: Who = Field(description="the combatant whose reaction it was")
    reaction: Ref = Field(description="the reaction")
    reason: Prose = Field(description="why it became impossible")
