from __future__ import annotations

from rules.dnd5e.granted_strikes import GrantedStrike
from rules.dnd5e.pieces import piece


@piece
class FlurryStrike(GrantedStrike):
    """One of the unarmed strikes that Flurry of Blows grants."""

    name = "flurry_strike"
    tags = ("attack", "melee")
    how_to_get_it = "Flurry of Blows"
