from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece


@piece
class Quickened(Condition):
    """The figure has more speed until the round ends."""

    name = "quickened"
