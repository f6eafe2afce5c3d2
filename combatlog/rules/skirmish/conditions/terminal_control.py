"""What cards say about who controls terminals, until the round ends. Held by a player."""

from __future__ import annotations

from combatlog.rules.skirmish.pieces import Condition, piece

ALL_TERMINALS = "skirmish:condition:all_terminals"
MISCOUNTED = "skirmish:condition:miscounted"


@piece
class AllTerminals(Condition):
    """The player controls all terminals until the round ends."""

    name = "all_terminals"


@piece
class Miscounted(Condition):
    """One of the player's figures does not count at some terminals until the round ends."""

    name = "miscounted"
