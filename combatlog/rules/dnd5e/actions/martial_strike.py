from __future__ import annotations

from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.granted_strikes import GrantedStrike
from combatlog.rules.dnd5e.pieces import piece


@piece
class MartialStrike(GrantedStrike):
    """Spend the bonus action on the unarmed strike that Martial Arts grants."""

    name = "martial_strike"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "melee")
    granted_by = "an attack of the Attack action with a fist or a monk weapon"
