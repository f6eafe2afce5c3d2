from __future__ import annotations

from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.granted_strikes import GrantedStrike
from rules.dnd5e.pieces import piece


@piece
class OffHandStrike(GrantedStrike):
    """Attack with the weapon in the other hand; its damage has no ability modifier without the fighting style."""

    name = "off_hand_strike"
    cost = {BONUS_ACTION: 1}
    tags = ("attack", "weapon", "melee")
    off_hand = True
    how_to_get_it = "striking with a light weapon in the main hand while it holds another in the off hand"
