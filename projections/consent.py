"""Consent: what is proposed, who is asked, and what they have answered. Read from the record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID, uuid5

from ledger.events import Commanded, Data, Declared, Event, ReactionChosen, ReactionDeclined
from projections.battle import Battle

PROPOSE, ANSWER, OVERRULE = "core:consent:propose", "core:consent:answer", "core:consent:overrule"
ABOUT_CONSENT = frozenset({PROPOSE, ANSWER, OVERRULE})
CONSENT = "consent"
"""The option of an encounter that says whose consent a correction needs."""


class Consent(StrEnum):
    GM = "gm"
    """The GM's alone."""
    TABLE = "table"
    """That of everybody who plays somebody whom it affects; or the GM overrules them, on record."""


@dataclass(slots=True)
class Proposal:
    declared: Declared
    answers: dict[str, bool] = field(default_factory=dict)
    """Whether they agree, by combatant."""
    overruled: bool = False
    applied: bool = False

    @property
    def seq(self) -> int:
        return self.declared.seq

    @property
    def asked(self) -> tuple[str, ...]:
        return self.declared.targets

    @property
    def message(self) -> str:
        """What is proposed, by the name of the message: `undo` or `hurt`, say."""
        options = self.declared.options
        return str(options["message"] if "message" in options else options["correction"])

    @property
    def fields(self) -> Data:
        """The fields of that message."""
        options = self.declared.options
        return dict(options["fields"] if "message" in options else options["what"])

    @property
    def plan(self) -> Data:
        """What it would do: what those who are asked agree to."""
        return dict(self.declared.options["plan"])

    @property
    def command(self) -> UUID:
        """The id of what is proposed, by which it is carried out once."""
        return uuid5(self.declared.encounter, f"proposal {self.seq}")

    @property
    def waiting(self) -> list[str]:
        return [who for who in self.asked if who not in self.answers]

    @property
    def refused(self) -> bool:
        return not self.overruled and False in self.answers.values()

    @property
    def agreed(self) -> bool:
        return self.overruled or all(self.answers.get(who) for who in self.asked)

    @property
    def is_open(self) -> bool:
        return not self.applied and not self.refused


def needs_table(battle: Battle) -> bool:
    return battle.encounter.options.get(CONSENT) == Consent.TABLE


class Proposals:
    """Every proposal, open or not, whether or not it was taken back since: what was asked was asked."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.all: list[Proposal] = []
        for event in events:
            self.take(event)

    @property
    def last(self) -> Proposal | None:
        return self.all[-1] if self.all else None

    def take(self, event: Event) -> None:
        if isinstance(event, Declared) and event.action == PROPOSE:
            self.all.append(Proposal(event))
        elif self.all and isinstance(event, Commanded | ReactionChosen | ReactionDeclined):
            _take(self.all[-1], event)


def last_proposal(events: Iterable[Event]) -> Proposal | None:
    return Proposals(events).last


def _take(proposal: Proposal, event: Commanded | ReactionChosen | ReactionDeclined) -> None:
    if event.command == proposal.command:
        proposal.applied = True
    if not isinstance(event, Declared) or event.options.get("proposal") != proposal.seq:
        return
    if event.action == ANSWER:
        proposal.answers[event.actor] = bool(event.options.get("agree"))
    elif event.action == OVERRULE:
        proposal.overruled = True
