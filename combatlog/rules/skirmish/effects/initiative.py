"""Claiming the initiative."""

from __future__ import annotations

from combatlog.rules.skirmish.initiative import CLAIMED, give_initiative, keep_initiative
from combatlog.rules.skirmish.play import Play
from combatlog.rules.skirmish.registry import Flag, effect
from combatlog.rules.skirmish.vocabulary import Need, Timing


@effect(
    "claimInitiative",
    Flag,
    needs=Need.PLAYER,
    timing=Timing.END_OF_ROUND,
    changes=lambda play, _: not play.player.has(CLAIMED),
)
def claim_initiative(play: Play, _: bool) -> None:
    """the player takes the initiative; at the end of a round, it keeps it for the next one"""
    give_initiative(play.table, play.player)
    if play.ability.when is Timing.END_OF_ROUND:
        keep_initiative(play.table, play.player, play.source)
