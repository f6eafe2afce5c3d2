"""Whose turn it is: the check that every ruleset makes before a declaration. Rulesets add what is special to them."""

from __future__ import annotations

from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.refusal import Refusal
from projections.battle import Battle

END_TURN = "core:time:end-turn"


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
        sentence = f"It is {_name(battle, turn)}'s {called}, not {_name(battle, who)}'s."
        raise Refusal("turn/other", sentence, who=who, turn=turn)


def require_round(battle: Battle, round: int | None) -> None:
    """Refuse what was meant for another round, such as ending a turn that somebody else has ended meanwhile."""
    now = battle.clock.round
    if round is not None and round != now:
        over = f"Round {round} is over" if round < now else f"Round {round} has not begun"
        raise Refusal("turn/other-round", f"{over}; it is round {now}.", round=round, found=now)


def require_a_name(battle: Battle, who: str) -> None:
    """Refuse to end just any turn: of two people who end the same one, the second would end the next one as well."""
    if who == GM:
        turn = turn_in_progress(battle)
        raise Refusal("turn/whose", f"Say whose turn ends: it is {_name(battle, turn)}'s turn.", turn=turn)


def _name(battle: Battle, who: str) -> str:
    known = battle.combatants.get(who)
    return known.name if known is not None else who
