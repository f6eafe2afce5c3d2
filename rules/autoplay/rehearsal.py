"""Trying automatic play without recording anything, so that it does not stop halfway for want of dice."""

from __future__ import annotations

from collections.abc import Collection

from projections.journal import copy_of
from rules.autoplay.auto import Limits, play
from rules.engine.fight import Fight
from rules.engine.refusal import Refusal


def check_needs_no_dice(fight: Fight, limits: Limits, sides: Collection[str]) -> None:
    """Refuse a fight whose dice are rolled at the table, unless automatic play would need none."""
    if fight.battle.encounter.dice != "table":
        return
    try:
        for _ in play(Fight(start=copy_of(fight.battle), now=fight.now), limits, sides):
            pass
    except Refusal as refusal:
        if refusal.code != "dice/too-few":
            raise
        raise Refusal(
            "auto/table-dice",
            "The dice of this fight are rolled at the table, so it cannot be played automatically.",
            encounter=fight.battle.name,
            **refusal.facts,
        ) from refusal
