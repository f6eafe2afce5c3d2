"""Conditions without a part in attacks: what they do is in the checks and the passing of activations."""

from __future__ import annotations

from rules.skirmish.pieces import Condition, piece


@piece
class Stunned(Condition):
    """It cannot attack or leave its space until an action removes this."""

    name = "stunned"


@piece
class Bleeding(Condition):
    """It suffers 1 strain after each action until an action removes this."""

    name = "bleeding"


@piece
class Defeated(Condition):
    name = "defeated"


@piece
class InitiativeClaimed(Condition):
    """The player keeps the initiative when the round ends."""

    name = "initiative_claimed"
