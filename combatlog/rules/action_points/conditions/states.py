"""States that prevent acting, or that actions depend on."""

from __future__ import annotations

from combatlog.rules.action_points.pieces import Condition, piece
from combatlog.rules.engine.refusal import Refusal
from projections.combatant import Combatant


@piece
class Dead(Condition):
    """VIT is 0. Whoever is dead is refused before any condition is asked, so there is nothing to do here."""

    name = "dead"


@piece
class Unconscious(Condition):
    """Passed out at FAT 0, until the end of a round in which there is FAT again."""

    name = "unconscious"
    lasts = True

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal(
            "state/unconscious",
            f"{owner.name} has passed out and comes to at the end of a round in which it has FAT.",
            who=owner.id,
        )


@piece
class Unfocused(Condition):
    """Has failed a Focus check in this turn. Actions that need Focus are refused until the turn ends."""

    name = "unfocused"


@piece
class Delayed(Condition):
    """Has delayed its turn, which is possible once a round."""

    name = "delayed"


@piece
class Resting(Condition):
    """Resting for the rest of the round."""

    name = "resting"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal("rest/resting", f"{owner.name} is resting and can act again in the next round.", who=owner.id)


@piece
class Sprinting(Condition):
    """Sprinting for the whole round, which leaves no time for anything else."""

    name = "sprinting"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return Refusal(
            "move/sprinting",
            f"{owner.name} is sprinting all round and can act again in the next one.",
            who=owner.id,
        )


@piece
class Parrying(Condition):
    """In parry mode, which the reaction `parry` needs."""

    name = "parrying"


@piece
class Disarmed(Condition):
    """Without the weapons that its data names."""

    name = "disarmed"
