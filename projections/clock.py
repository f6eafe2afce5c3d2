"""The clock: rounds, turns, the initiative order, and whether the fight is over."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.events import InitiativeEntry, Until, UntilMoment


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

    def dated(self, until: Until) -> Until:
        """The same moment with the round in which it comes, for whoever reads it later, if the order tells."""
        number = self._round_of(until) if until.round is None else None
        return until.model_copy(update={"round": number}) if number is not None else until

    def _round_of(self, until: Until) -> int | None:
        if until.moment is UntilMoment.ROUND_END:
            return self.round or None
        known = {entry.combatant for entry in self.order}
        if until.whose is None or self.turn is None or not known >= {until.whose, self.turn}:
            return None
        if until.whose == self.turn:  # the end of the turn in progress needs no round
            return self.round + 1 if until.moment is UntilMoment.TURN_START else None
        return self.round + (self.rank(until.whose) < self.rank(self.turn))
