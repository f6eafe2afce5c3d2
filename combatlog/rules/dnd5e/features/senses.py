"""Senses of creatures that are more than a distance, and bodies without a shape. The rules of sight and of narrow
spaces ask for them by name."""

from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Feature, piece


@piece
class DevilsSight(Feature):
    """Magical darkness does not impede its darkvision."""

    name = "devils_sight"


@piece
class Echolocation(Feature):
    """No blindsight while it is deafened."""

    name = "echolocation"


@piece
class Amorphous(Feature):
    """Squeeze into narrow spaces without being slower or hampered."""

    name = "amorphous"
