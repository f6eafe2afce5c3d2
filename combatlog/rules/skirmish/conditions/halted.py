from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece


@piece
class Halted(Condition):
    """A massive figure that has pushed others aside cannot move any more before the activation ends."""

    name = "halted"
