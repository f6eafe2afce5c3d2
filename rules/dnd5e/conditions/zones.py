"""What a spell leaves on the map, held by its caster; and who it has affected in this turn."""

from __future__ import annotations

from rules.dnd5e.pieces import Condition, piece


@piece
class Zone(Condition):
    """Keeps up an effect over some squares of the map, such as a wall of fire."""

    name = "zone"


@piece
class Scathed(Condition):
    """Has been affected by something on the map this turn; it cannot affect it again until the turn is over."""

    name = "scathed"
