"""Gaining power tokens. They are wild: the player chooses what one counts as when spending it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rules.skirmish import tokens
from rules.skirmish.play import Play, Situation
from rules.skirmish.registry import Amount, effect, refinement
from rules.skirmish.vitality import suffered
from rules.skirmish.vocabulary import Need, Timing

AmountByDamage = Annotated[
    dict[Annotated[str, Field(pattern=r"^[1-9]\d?$")], Amount], Field(min_length=1, description="by damage suffered")
]


@effect(
    "powerTokenGain",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: tokens.count(play.figure) < tokens.TOKEN_LIMIT,
)
def gain_tokens(play: Play, amount: int) -> None:
    """the figure gains power tokens"""
    tokens.gain(play.table, play.player, play.figure, tokens.TokenKind.WILD, amount, play.reason, play.source)


@refinement("powerTokenGainIfDamagedGte", AmountByDamage, of=("powerTokenGain",))
def more_when_damaged(play: Situation, amount: int, by_damage: dict[str, int]) -> int:
    """a different number, by how much damage the figure has suffered"""
    reached = [int(least) for least in by_damage if suffered(play.figure) >= int(least)]
    return by_damage[str(max(reached))] if reached else amount
