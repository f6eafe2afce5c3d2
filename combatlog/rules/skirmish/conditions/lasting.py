"""Conditions that contribute nothing to attacks. Checks, actions and turns look for them."""

from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece


@piece
class Stunned(Condition):
    """The figure cannot attack or leave its space until it spends an action to remove this."""

    name = "stunned"


@piece
class Bleeding(Condition):
    """The figure suffers 1 strain after each action until it spends an action to remove this."""

    name = "bleeding"


@piece
class Defeated(Condition):
    """The figure has no health left and is out of the skirmish."""

    name = "defeated"


@piece
class InitiativeClaimed(Condition):
    """The player keeps the initiative when the round ends."""

    name = "initiative_claimed"
