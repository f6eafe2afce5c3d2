from __future__ import annotations

from rules.dnd5e.granted_strikes import GrantedStrike
from rules.dnd5e.pieces import piece


@piece
class FlurryStrike(GrantedStrike):
    """Make one of the unarmed strikes that Flurry of Blows grants."""

    name = "flurry_strike"
    tags = ("attack", "melee")
    granted_by = "Flurry of Blows"
