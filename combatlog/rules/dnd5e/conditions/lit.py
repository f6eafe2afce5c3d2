from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Condition, piece


@piece
class Lit(Condition):
    """Carries a light: bright for 20 feet and dim for another 20."""

    name = "lit"
    is_single = True
