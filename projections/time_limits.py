"""How long people have to answer when they may react. Rules have no clock: whoever has one says that time is up."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from projections.battle import Battle

REACTION_TIME = "reaction_time"
"""The option of an encounter with the seconds that somebody has to answer."""
TIME_UP = "time_up"


class TimeUp(StrEnum):
    """What is done for whoever does not answer in time."""

    NOTHING = "pass"
    WHEN_USEFUL = "when useful"
    """The first reaction that could change the outcome, unless the combatant's policy is never to use it."""


def answer_until(battle: Battle) -> datetime | None:
    """When the time of whoever is being asked is up; None if nobody is asked, or there is no limit.

    It is a whole second, rounded up, because that is what people are told: the time is never up before it. In a fork,
    it begins anew: nobody could answer there before. Only the player can reveal a link of shared dice, so that is
    waited for.
    """
    window, limit = battle.window, battle.encounter.options.get(REACTION_TIME)
    if window is None or window.waiting is None or window.is_for_dice or not isinstance(limit, int):
        return None
    asked_at = max(window.asked_at, battle.fork.recorded_at) if battle.fork is not None else window.asked_at
    until = asked_at + timedelta(seconds=limit)
    return until.replace(microsecond=0) + timedelta(seconds=until.microsecond > 0)


def is_overdue(battle: Battle, now: datetime) -> bool:
    until = answer_until(battle)
    return until is not None and until <= now
