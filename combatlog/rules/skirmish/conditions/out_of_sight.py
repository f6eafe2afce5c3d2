from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted

OUT_OF_SIGHT = "skirmish:condition:out_of_sight"


@piece
class OutOfSight(Condition):
    """The figure can be attacked only from nearby, until the round ends."""

    name = "out_of_sight"

    def protects(self, battle: Battle, owner: Combatant, attacker: Combatant) -> str | None:
        from combatlog.rules.skirmish.targeting import spaces_between

        spaces = owner.conditions[self.ref].data["spaces"]
        if spaces_between(battle, attacker, owner) <= spaces:
            return None
        return f"{owner.id} can only be attacked from within {counted(spaces, 'space')} until the round ends"
