from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece


@piece
class Turned(Condition):
    """The figure's base is turned by a quarter: it covers as many spaces down as its sheet says across."""

    name = "turned"
