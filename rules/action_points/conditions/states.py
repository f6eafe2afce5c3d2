"""States of a combatant that keep it from acting, or that actions look for."""

from __future__ import annotations

from projections.combatant import Combatant
from rules.action_points.pieces import Condition, piece
from rules.engine.refusal import Refusal


@piece
class Dead(Condition):
    """VIT is 0. Nothing is left to decide: whoever is dead is refused by that, before any condition is asked."""

    name = "dead"


@piece
class Resting(Condition):
    """Resting, for the rest of the round."""

    name = "resting"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal("rest/resting", f"{owner.id} rests and can act again in the next round; end its turn.")


@piece
class Sprinting(Condition):
    """Sprinting for a full round, which leaves no time for anything else."""

    name = "sprinting"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal("move/sprinting", f"{owner.id} sprints all round and can act again in the next; end its turn.")


@piece
class Parrying(Condition):
    """In parry mode. The reaction `parry` asks for it."""

    name = "parrying"


@piece
class Disarmed(Condition):
    """Some weapons are out of hand: those named in its data."""

    name = "disarmed"
