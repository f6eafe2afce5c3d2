"""What a seat is told when the fight waits for somebody else: not for whom, and nothing of a window that it cannot see.

Otherwise a player who tries something again and again would learn when somebody unseen is asked.
"""

from __future__ import annotations

from ledger.errors import Problem
from projections.views import Onlooker
from rules.engine.refusal import Refusal
from rules.engine.turns import require_turn

_WAITING = "window/waiting"
_ABOUT_WINDOWS = {_WAITING, "reaction/not-asked", "reaction/no-limit", "reaction/time-left"}


def while_waiting(problem: Problem, onlooker: Onlooker, actor: str | None) -> Problem:
    """The same problem, unless it is about a window that somebody else has to answer, or about the turn of somebody
    unseen."""
    if problem.code == "turn/other" and onlooker.battle.clock.turn is None:
        return Refusal("turn/none", "No turn is in progress.")
    asked = problem.facts.get("asked")
    if problem.code not in _ABOUT_WINDOWS or asked in onlooker.viewer.own:
        return problem
    if onlooker.sees_wait:
        return Refusal(problem.code, "Somebody else has to answer first.")
    return _without_window(problem, onlooker, actor)


def _without_window(problem: Problem, onlooker: Onlooker, actor: str | None) -> Problem:
    """What would be refused if nobody were asked."""
    if problem.code != _WAITING:
        who = {"who": problem.facts["who"]} if "who" in problem.facts else {}
        return Refusal("reaction/no-window", "Nobody is being asked to react.", **who)
    try:
        require_turn(onlooker.battle, actor or "")
    except Refusal as refusal:
        return refusal
    return Refusal(_WAITING, "Somebody else has to answer first.")
