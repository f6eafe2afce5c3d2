"""Consent and time limits: what is proposed, who is asked, the answers so far, and how long a player has to answer.

Rules have no clock. A caller with a clock declares that the time is up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID, uuid5

from ledger.events import Commanded, Data, Declared, Event, ReactionChosen, ReactionDeclined
from projections.battle.fold import Battle

PROPOSE, ANSWER, OVERRULE = "core:consent:propose", "core:consent:answer", "core:consent:overrule"
ABOUT_CONSENT = frozenset({PROPOSE, ANSWER, OVERRULE})
CONSENT = "consent"
"""The option of an encounter that says who must consent to a correction."""


class ConsentMode(StrEnum):
    GM = "gm"
    """Only the GM decides."""
    TABLE = "table"
    """Every player whose combatant is affected must agree, unless the GM overrules them on record."""


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
        """What is proposed, by the name of the message, such as `undo` or `hurt`."""
        options = self.declared.options
        return str(options["message"] if "message" in options else options["correction"])

    @property
    def fields(self) -> Data:
        """The fields of that message."""
        options = self.declared.options
        return dict(options["fields"] if "message" in options else options["what"])

    @property
    def plan(self) -> Data:
        """What it would do, and what those asked agree to."""
        return dict(self.declared.options["plan"])

    @property
    def command(self) -> UUID:
        """The id of the proposed command, which ensures that it is carried out only once."""
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
    return battle.encounter.options.get(CONSENT) == ConsentMode.TABLE


class Proposals:
    """Every proposal, open or settled, including those that were later taken back."""

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


REACTION_TIME = "reaction_time"
"""The option of an encounter that says how many seconds a player has to answer."""
TIME_UP = "time_up"


class ReactionTimeUp(StrEnum):
    """What happens when a player does not answer in time."""

    NOTHING = "pass"
    WHEN_USEFUL = "when useful"
    """Use the first reaction that could change the outcome, unless the combatant's policy is never to use it."""


def answer_until(battle: Battle) -> datetime | None:
    """When time runs out for the player being asked; None if nobody is asked, or there is no limit.

    The deadline is rounded up to a whole second because that is what players are shown, so it never passes early. In a
    fork, time starts afresh, since no one could answer there before. Only the player can reveal a link of shared dice,
    so there is no deadline for that.
    """
    window, limit = battle.window, battle.encounter.options.get(REACTION_TIME)
    if window is None or window.waiting is None or window.is_for_dice or not isinstance(limit, int):
        return None
    asked_at = max(window.asked_at, battle.fork.recorded_at) if battle.fork is not None else window.asked_at
    until = asked_at + timedelta(seconds=limit)
    return until.replace(microsecond=0) + timedelta(seconds=until.microsecond > 0)


def is_overdue(battle: Battle, now: datetime) -> bool:
    until = answer_until(battle)
    return until is not None and until <= now
