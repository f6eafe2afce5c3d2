from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Feature, piece


@piece
class SculptSpells(Feature):
    """Spells that deal damage in an area spare friends in it: one, and one more for each level of the spell."""

    name = "sculpt_spells"

    def friends_spared(self, level: int) -> int:
        return 1 + level
