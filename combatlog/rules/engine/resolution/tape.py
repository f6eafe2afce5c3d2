"""The tape: the recorded rolls and decisions of a declaration.

It is read by purpose, not by position, so that dice stay with their roll even if a correction changes what comes
before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from ledger.events import (
    Event,
    LinkAsked,
    LinkRevealed,
    LinkWithheld,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
    Rolled,
)

Answered = ReactionChosen | ReactionDeclined


class Tape:
    """Rolls by purpose and answers by moment, oldest first."""

    def __init__(self, recorded: Iterable[Event] = (), moments: Mapping[int, str] | None = None) -> None:
        """`moments` are the moments of windows that opened before these events, by seq."""
        self._rolls: dict[tuple[str, str], deque[Rolled]] = {}
        self._answers: dict[tuple[str, str], deque[Answered]] = {}
        self._asked: dict[tuple[str, str], deque[LinkAsked]] = {}
        self._links: dict[int, LinkRevealed | LinkWithheld] = {}
        known = dict(moments) if moments is not None else {}
        for event in recorded:
            if isinstance(event, Rolled):
                self._rolls.setdefault((event.purpose, event.roller), deque()).append(event)
            elif isinstance(event, ReactionWindowOpened):
                known[event.seq] = event.moment
            elif isinstance(event, ReactionChosen | ReactionDeclined):
                self._answers.setdefault((known[event.window], event.reactor), deque()).append(event)
            elif isinstance(event, LinkAsked):
                self._asked.setdefault((event.purpose, event.roller), deque()).append(event)
            elif isinstance(event, LinkRevealed | LinkWithheld):
                self._links[event.asked] = event

    def followed_by(self, later: Tape) -> Tape:
        """This tape, followed by the rolls and answers of another."""
        for key, rolls in later._rolls.items():
            self._rolls.setdefault(key, deque()).extend(rolls)
        for key, answers in later._answers.items():
            self._answers.setdefault(key, deque()).extend(answers)
        for key, asked in later._asked.items():
            self._asked.setdefault(key, deque()).extend(asked)
        self._links |= later._links
        return self

    def with_rolls(self, rolls: Iterable[Rolled], made: Iterable[Rolled] = ()) -> Tape:
        """This tape with these rolls instead of its own, except as many of each kind as have been made already."""
        self._rolls = {}
        for roll in rolls:
            self._rolls.setdefault((roll.purpose, roll.roller), deque()).append(roll)
        for roll in made:
            self.next_roll(roll.purpose, roll.roller)
        return self

    @property
    def has_rolls(self) -> bool:
        """Whether there are rolls that were not used."""
        return any(self._rolls.values())

    def without_answers_of(self, reactor: str) -> Tape:
        """This tape as if that combatant had never been asked."""
        for key in [key for key in self._answers if key[1] == reactor]:
            del self._answers[key]
        return self

    def next_roll(self, purpose: str, roller: str) -> Rolled | None:
        recorded = self._rolls.get((purpose, roller))
        return recorded.popleft() if recorded else None

    def next_question(self, purpose: str, roller: str) -> LinkAsked | None:
        """The question that a roll of shared dice asked a player."""
        recorded = self._asked.get((purpose, roller))
        return recorded.popleft() if recorded else None

    def link(self, number: int) -> LinkRevealed | LinkWithheld | None:
        """The player's answer to the question with this number."""
        return self._links.get(number)

    def next_answer(self, moment: str, reactor: str) -> Answered | None:
        recorded = self._answers.get((moment, reactor))
        return recorded.popleft() if recorded else None


def tape_of(recorded: Sequence[Event]) -> Tape:
    """The tape of the declaration at the start of these events, without events of other declarations."""
    return Tape(event for event in recorded if event.declaration == recorded[0].seq)
