"""The clock: rounds, turns, the initiative order, and whether the fight is over."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.events import InitiativeEntry


@dataclass(slots=True)
class Clock:
    round: int = 0
    turn: str | None = None
    order: list[InitiativeEntry] = field(default_factory=list)
    closed: bool = False

    @property
    def started(self) -> bool:
        return bool(self.order)

    def rank(self, combatant: str) -> int:
        """A combatant's place in the initiative order; whoever has none comes last."""
        for place, entry in enumerate(self.order):
            if entry.combatant == combatant:
                return place
        return len(self.order)
