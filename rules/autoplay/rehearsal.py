"""Automatic play where people roll the dice: tried without recording anything, so that it does not stop half-way."""

from __future__ import annotations

from collections.abc import Collection

from rules.autoplay.auto import Limits, play
from rules.engine.fight import Fight
from rules.engine.refusal import Refusal


def check_needs_no_dice(fight: Fight, limits: Limits, sides: Collection[str]) -> None:
    """Refuse a fight with dice from the table, unless what would be played needs none."""
    if fight.battle.encounter.dice != "table":
        return
    try:
        for _ in play(Fight(fight.events, now=fight.now), limits, sides):
            pass
    except Refusal as refusal:
        if refusal.code != "dice/too-few":
            raise
        raise Refusal(
            "auto/table-dice",
            "The dice of this fight are rolled at the table, so nobody can play itself in it; declare with "
            "`combatlog do ... --dice FACES`, or open the fight with --dice random, committed or seed:N.",
        ) from refusal
