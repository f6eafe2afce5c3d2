"""How long things last."""

from __future__ import annotations

from ledger.events import Until, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant

MINUTE = 10
"""Rounds in a minute."""
HOUR = 60 * MINUTE


def until_next_turn(whose: Combatant) -> Until:
    return Until(moment=UntilMoment.TURN_START, whose=whose.id)


def until_end_of_turn(whose: Combatant) -> Until:
    return Until(moment=UntilMoment.TURN_END, whose=whose.id)


def for_a_minute(battle: Battle, whose: Combatant) -> Until:
    return Until(moment=UntilMoment.TURN_START, whose=whose.id, round=battle.clock.round + MINUTE)


def for_an_hour(battle: Battle, whose: Combatant) -> Until:
    return Until(moment=UntilMoment.TURN_START, whose=whose.id, round=battle.clock.round + HOUR)


def until_end_of_next_turn(battle: Battle, whose: Combatant) -> Until:
    """The end of a turn in progress does not count."""
    later = battle.clock.round + 1 if battle.clock.turn == whose.id else None
    return Until(moment=UntilMoment.TURN_END, whose=whose.id, round=later)
