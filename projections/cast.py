"""Who is in a fight and in which order they act: what sentences about single events cannot know by themselves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ledger.events import (
    ActionGranted,
    CombatantJoined,
    ConditionApplied,
    Data,
    EncounterOpened,
    Event,
    InitiativeSet,
)
from projections.clock import Clock
from projections.naming import Names, called
from projections.phrases import who

E = TypeVar("E", bound=Event)

INTRODUCTIONS = (EncounterOpened, CombatantJoined, InitiativeSet)
"""The kinds of events that a cast is made from."""


@dataclass(frozen=True)
class Cast:
    names: Names = field(default_factory=dict)
    sheets: Mapping[str, Data] = field(default_factory=dict)
    ruleset: str = ""
    orders: Sequence[InitiativeSet] = ()
    """Every order of turns there was, as it was recorded."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> Cast:
        known = [event for event in events if isinstance(event, INTRODUCTIONS)]
        joined = [event for event in known if isinstance(event, CombatantJoined)]
        return cls(
            names={event.combatant: event.name for event in joined},
            sheets={event.combatant: event.sheet for event in joined},
            ruleset=next((event.ruleset for event in known if isinstance(event, EncounterOpened)), ""),
            orders=[event for event in known if isinstance(event, InitiativeSet)],
        )

    def name(self, combatant: str) -> str:
        return self.names.get(combatant) or who(combatant)

    def named(self, event: E) -> E:
        """The event with names for ids, and the round in which something ends. Only for putting it into words."""
        until = event.until if isinstance(event, ConditionApplied | ActionGranted) else None
        dated = {"until": self._clock(event).dated(until)} if until is not None else {}
        return called(event.model_copy(update=dated), self.names)

    def _clock(self, event: Event) -> Clock:
        at = bisect_right(self.orders, event.seq, key=lambda order: order.seq)
        return Clock(event.round, event.turn, list(self.orders[at - 1].order) if at else [])

    def shoots_with(self, combatant: str, weapon: str) -> bool:
        """Whether the sheet says that the weapon needs ammunition."""
        held = self.sheets.get(combatant, {}).get("weapons")
        known = [entry for entry in held if isinstance(entry, dict)] if isinstance(held, list) else []
        return any(entry.get("name") == weapon and "ammunition" in _properties(entry) for entry in known)


def _properties(weapon: Data) -> Sequence[object]:
    properties = weapon.get("properties")
    return properties if isinstance(properties, list | tuple) else ()
