"""Consent to corrections: which one is proposed, who is asked, and what they have answered. Read from the record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID, uuid5

from ledger.events import Commanded, Data, Declared, Event
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
    def correction(self) -> str:
        """What kind of correction: `undo`, `redo`, `amend` or `insert`."""
        return str(self.declared.options["correction"])

    @property
    def what(self) -> Data:
        """How it was planned."""
        return dict(self.declared.options["what"])

    @property
    def plan(self) -> Data:
        """What it would do: what those who are asked agree to."""
        return dict(self.declared.options["plan"])

    @property
    def command(self) -> UUID:
        """The command of the correction itself, by which it is carried out once."""
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
        elif self.all and isinstance(event, Commanded):
            _take(self.all[-1], event)


def last_proposal(events: Iterable[Event]) -> Proposal | None:
    return Proposals(events).last


def _take(proposal: Proposal, event: Commanded) -> None:
    if event.command == proposal.command:
        proposal.applied = True
    if not isinstance(event, Declared) or event.options.get("proposal") != proposal.seq:
        return
    if event.action == ANSWER:
        proposal.answers[event.actor] = bool(event.options.get("agree"))
    elif event.action == OVERRULE:
        proposal.overruled = True
