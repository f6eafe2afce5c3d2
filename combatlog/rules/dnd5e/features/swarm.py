from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Feature, piece


@piece
class Swarm(Feature):
    """Be in the same space as others, as they can be in its own; regain no hit points."""

    name = "swarm"


@piece
class Formless(Feature):
    """Enter the space of an enemy and stop there."""

    name = "formless"


@piece
class IncorporealMovement(Feature):
    """Move through creatures, walls and doors as if they were difficult terrain, but stop in none."""

    name = "incorporeal_movement"
