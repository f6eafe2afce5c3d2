from __future__ import annotations

from rules.dnd5e.pieces import Feature, piece


@piece
class Swarm(Feature):
    """Move through the spaces of enemies, as they can move through its own."""

    name = "swarm"
