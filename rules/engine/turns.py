"""Whose turn it is: the check that every ruleset makes before a declaration. Rulesets add what is special to them."""

from __future__ import annotations

from projections.battle import Battle
from rules.engine.refusal import Refusal


def turn_in_progress(battle: Battle, called: str = "turn") -> str:
    """The id of the combatant whose turn it is, or a refusal. `called` is what the ruleset calls a turn."""
    turn = battle.clock.turn
    if turn is not None:
        return turn
    if not battle.clock.started:
        raise Refusal("turn/not-started", "The fight has not started yet.", encounter=battle.name)
    raise Refusal("turn/none", f"No {called} is in progress.")


def require_turn(battle: Battle, who: str, called: str = "turn") -> None:
    """Refuse whoever acts outside their own turn."""
    turn = turn_in_progress(battle, called)
    if turn != who:
        raise Refusal("turn/other", f"It is {turn}'s {called}, not {who}'s.", who=who, turn=turn)
