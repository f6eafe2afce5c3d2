"""A fight, followed event by event: what the parts of a report look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Protocol

from ledger.events import (
    CombatantJoined,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    Event,
    Healed,
    Moved,
    ReactionChosen,
    ReactionUsed,
    ResourceChanged,
)
from projections.battle import Battle
from projections.combatant import Combatant
from projections.origins import actor_behind, reaction_behind, ruling_behind
from projections.phrases import who

_RULINGS = "core:ruling:"
_CHANGE_WHO_FIGHTS = (CombatantJoined, CombatantLeft, ConditionApplied, ConditionRemoved, Damaged, Healed, Moved)


class Judge(Protocol):
    """What only the rules can say. A ruleset is one."""

    @property
    def delayed_damage(self) -> Collection[str]:
        """Resources in which damage waits until it takes effect."""

    def in_the_fight(self, battle: Battle) -> Sequence[Combatant]:
        """The combatants who can still win or lose."""

    def winner(self, battle: Battle) -> str | None:
        """The side that has won; None if nobody has."""


class Followed:
    """The fight up to some event, and the state after it."""

    def __init__(self, events: Sequence[Event], judge: Judge) -> None:
        self.events = events
        self.judge = judge
        self.battle = Battle()
        self.at = 0
        """How many events that stand came so far."""
        self.fighting: dict[str, Combatant] = {}
        """Those who can still win or lose, by id."""
        self._groups: defaultdict[int, list[Event]] = defaultdict(list)

    def feed(self, event: Event) -> None:
        self.at += 1
        self.battle.apply(event)
        self._groups[event.declaration].append(event)
        if isinstance(event, _CHANGE_WHO_FIGHTS) or self.changes_vital(event):
            self.fighting = {combatant.id: combatant for combatant in self.judge.in_the_fight(self.battle)}

    def changes_vital(self, event: Event) -> bool:
        if isinstance(event, ResourceChanged):
            return event.resource in self.battle.combatants[event.owner].vitals
        return isinstance(event, Damaged | Healed)

    def delayed(self, event: Event) -> int:
        """The damage that an event dealt and that takes effect later. What a ruling sets is none."""
        if isinstance(event, ResourceChanged) and event.resource in self.judge.delayed_damage:
            declared = self.declared(event)
            ruled = declared is not None and declared.action.startswith(_RULINGS)
            return 0 if ruled else max(0, event.after - event.before)
        return 0

    def group(self, event: Event) -> list[Event]:
        """The events of the same declaration so far, the latest first."""
        return self._groups[event.declaration][::-1]

    def declared(self, event: Event) -> Declared | None:
        found = self.events[event.declaration - 1]
        return found if isinstance(found, Declared) else None

    def name(self, combatant: str) -> str:
        known = self.battle.combatants.get(combatant)
        return known.name if known is not None else who(combatant)

    # What led to an event

    def reaction_behind(self, event: Event) -> ReactionUsed | ReactionChosen | None:
        """The reaction that an event is part of: an opportunity attack is no part of the move."""
        return reaction_behind(event, self.events)

    def doer(self, event: Event) -> str | None:
        """Who brought an event about: whoever reacted or declared it. None: it came with the end of a turn, say."""
        return actor_behind(event, self.events)

    def is_ruled(self, event: Damaged | Healed) -> bool:
        """A ruling sets a value; nobody was hurt or healed."""
        return ruling_behind(event, self.events) is not None
