"""What holds for a figure until its activation ends."""

from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vocabulary import REACHING

SPECIALS_TWICE = "skirmish:condition:specials_twice"
STUN_AFTER_ACTION = "skirmish:condition:stun_after_action"
OVERRUNNING = "skirmish:condition:overrunning"
ENDING_WITH_ACTIVATION = (SPECIALS_TWICE, STUN_AFTER_ACTION, REACHING, OVERRUNNING, "skirmish:condition:on_the_hunt")


@piece
class SpecialsTwice(Condition):
    """The figure can use each special action twice in this activation."""

    name = "specials_twice"


@piece
class StunAfterAction(Condition):
    """The figure becomes Stunned after its next action."""

    name = "stun_after_action"


@piece
class Overrunning(Condition):
    """Hostile figures whose spaces the figure enters in this activation suffer damage."""

    name = "overrunning"


@piece
class Reaching(Condition):
    """The figure's melee attacks have Reach."""

    name = "reaching"
