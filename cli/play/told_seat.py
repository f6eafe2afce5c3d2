"""A seat at a fight behind a service that tells only what the seat may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.play.seat import Seat
from projections.cast import Cast

if TYPE_CHECKING:
    from combatlog import RecordedFight
    from ledger.events import Face
    from projections.battle import Battle
    from rules.engine.commands import Declaration, Reply
    from rules.engine.foresight import Foreseen

_OWN = "gm"
"""The seat that somebody means who names none: behind a service, their own."""


class ToldSeat(Seat):
    """Nothing is worked out here: what dice it takes and how to hit is said by the service, which knows the rest."""

    works_it_out = False

    def plays(self, combatant: str) -> bool:
        """Whoever has no combatants plays nobody."""
        return combatant in self.own

    def left(self) -> str:
        from rules.engine.glance import glances

        glance = glances(self.battle).get(self.battle.clock.turn or "")
        return ", ".join(glance.left) if glance is not None else ""

    def actions(self, actor: str | None) -> list[str]:
        return super().actions(actor if actor is None or self.plays(actor) else None)

    def foresee(self, said: Declaration | Reply, dice: Sequence[Face], *, through_windows: bool = False) -> Foreseen:
        """As if it took just the dice that there are; if it takes more, the service asks for them."""
        from rules.engine.foresight import Foreseen

        return Foreseen(events=(), rolls=(), made=(), used=len(dice))

    def _now(self) -> Battle:
        return self.fight.battle

    @property
    def cast(self) -> Cast:
        return self.fight.seen_by(_OWN).cast


def seat_at(fight: RecordedFight, battle: Battle, own: Sequence[str]) -> Seat:
    """The seat that somebody plays from: their own combatants, or some of them."""
    seat = fight.seen_by(_OWN).seat
    if seat.sees_all:
        return Seat(fight, battle, own)
    return ToldSeat(fight, battle, own or sorted(seat.combatants))
