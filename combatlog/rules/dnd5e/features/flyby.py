from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Feature, piece
from projections.combatant import Combatant


@piece
class Flyby(Feature):
    """Provoke no opportunity attacks when moving out of somebody's reach."""

    name = "flyby"

    def slips_away(self, owner: Combatant) -> bool:
        return True
