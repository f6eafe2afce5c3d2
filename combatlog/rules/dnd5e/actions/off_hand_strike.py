from __future__ import annotations

from combatlog.rules.dnd5e.economy import BONUS_ACTION
from combatlog.rules.dnd5e.granted_strikes import GrantedStrike
from combatlog.rules.dnd5e.pieces import piece


@piece
class OffHandStrike(GrantedStrike):
    """Spend the bonus action to attack with the weapon in the off hand."""

    name = "off_hand_strike"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "weapon", "melee")
    off_hand = True
    granted_by = "a strike with a light weapon in the main hand, while holding another in the off hand,"
