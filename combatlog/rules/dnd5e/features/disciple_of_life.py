from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Feature, piece


@piece
class DiscipleOfLife(Feature):
    """Healing spells that take a slot restore 2 and the slot's level more."""

    name = "disciple_of_life"

    def more_healing(self, level: int) -> int:
        return 2 + level if level else 0
