from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Condition, piece
from projections.combatant import Combatant


@piece
class Disengaging(Condition):
    """Movement does not provoke opportunity attacks."""

    name = "disengaging"

    def slips_away(self, owner: Combatant) -> bool:
        return True
