"""Claiming the initiative."""

from __future__ import annotations

from rules.skirmish.initiative import CLAIMED, give_initiative, keep_initiative
from rules.skirmish.play import Play
from rules.skirmish.registry import Flag, effect
from rules.skirmish.vocabulary import Need, Timing


@effect(
    "claimInitiative",
    Flag,
    needs=Need.PLAYER,
    timing=Timing.END_OF_ROUND,
    changes=lambda play, _: not play.player.has(CLAIMED),
)
def claim_initiative(play: Play, _: bool) -> None:
    """the player takes the initiative, and keeps it when the round ends"""
    give_initiative(play.table, play.player)
    keep_initiative(play.table, play.player, play.source)
