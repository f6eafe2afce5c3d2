from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Condition, piece


@piece
class Sustaining(Condition):
    """Has a spell at hand that it can use again without casting it anew."""

    name = "sustaining"
