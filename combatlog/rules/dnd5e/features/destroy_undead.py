from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from projections.combatant import Combatant

UP_TO = ((17, 4.0), (14, 3.0), (11, 2.0), (8, 1.0), (5, 0.5))
"""From which level on undead are destroyed, and up to which challenge rating."""


@piece
class DestroyUndead(Feature):
    """Undead of a low challenge rating that fail the save against Turn Undead are destroyed at once."""

    name = "destroy_undead"

    def destroys(self, power: str, owner: Combatant, target: Combatant) -> bool:
        rating = sheet_of(target).cr
        most = next((rated for level, rated in UP_TO if sheet_of(owner).level >= level), None)
        return power == "turn_undead" and rating is not None and most is not None and rating <= most
