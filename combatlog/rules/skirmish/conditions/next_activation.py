from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece

NEXT_ACTIVATION = "skirmish:condition:next_activation"


@piece
class NextActivation(Condition):
    """The figure gains movement points when its next activation starts."""

    name = "next_activation"


@piece
class Vanished(Condition):
    """The figure suffers no damage and gets no condition until its next activation."""

    name = "vanished"
