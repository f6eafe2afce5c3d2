"""Gaining power tokens. Where no kind is named, they are wild: the player chooses their kind when spending them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.skirmish.figures import one_of
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, effect, refinement
from combatlog.rules.skirmish.sheet import group_of
from combatlog.rules.skirmish.targeting import spaces_between
from combatlog.rules.skirmish.tokens import TOKEN_LIMIT, TokenKind, gain_power_tokens, token_count
from combatlog.rules.skirmish.vitality import suffered
from combatlog.rules.skirmish.vocabulary import Need, Timing
from projections.combatant import Combatant

_DURING = Timing.DURING_ACTIVATION
AmountByDamage = Annotated[
    dict[Annotated[str, Field(pattern=r"^[1-9]\d?$")], Amount], Field(min_length=1, description="by damage suffered")
]


@effect(
    "powerTokenGain",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: token_count(play.figure) < TOKEN_LIMIT,
)
def gain_tokens(play: Play, amount: int) -> None:
    """the figure gains power tokens"""
    gain_power_tokens(play.table, play.player, play.figure, TokenKind.WILD, amount, play.reason, play.source)


@refinement("powerTokenGainIfDamagedGte", AmountByDamage, of=("powerTokenGain",))
def more_when_damaged(play: Situation, amount: int, by_damage: dict[str, int]) -> int:
    """a different number, by how much damage the figure has suffered"""
    reached = [int(least) for least in by_damage if suffered(play.figure) >= int(least)]
    return by_damage[str(max(reached))] if reached else amount


def _has_room(play: Situation, _: object) -> bool:
    return token_count(play.figure) < TOKEN_LIMIT


def _gain(play: Play, figure: Combatant, kind: TokenKind, amount: int) -> None:
    gain_power_tokens(play.table, play.player, figure, kind, amount, play.reason, play.source)


@effect("hitTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_hit_tokens(play: Play, amount: int) -> None:
    """the figure gains hit tokens"""
    _gain(play, play.figure, TokenKind.HIT, amount)


@effect("surgeTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_surge_tokens(play: Play, amount: int) -> None:
    """the figure gains surge tokens"""
    _gain(play, play.figure, TokenKind.SURGE, amount)


@effect("blockTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_block_tokens(play: Play, amount: int) -> None:
    """the figure gains block tokens"""
    _gain(play, play.figure, TokenKind.BLOCK, amount)


@effect("evadeTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_evade_tokens(play: Play, amount: int) -> None:
    """the figure gains evade tokens"""
    _gain(play, play.figure, TokenKind.EVADE, amount)


def _with_room(play: Situation) -> list[Combatant]:
    group = group_of(play.battle, play.figure)
    return [figure for figure in group if token_count(figure) < TOKEN_LIMIT]


@effect(
    "powerTokenGainToGroup",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: bool(_with_room(play)),
)
def distribute_tokens(play: Play, amount: int) -> None:
    """the player distributes hit tokens among the figures of the group"""
    for _ in range(amount):
        room = _with_room(play)
        figure = one_of(play, "tokens.distribute", room) if room else None
        if figure is not None:
            _gain(play, figure, TokenKind.HIT, 1)


DEFEATED_WITHIN = 3


def _saw_the_defeat(play: Situation) -> bool:
    other = play.other
    return (
        other is not None
        and other.position is not None
        and spaces_between(play.battle, play.figure, other) <= DEFEATED_WITHIN
    )


@effect(
    "whenDefeatHostileWithin3GainBlockTokens",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.HOSTILE_DEFEATED,
    changes=lambda play, _: _saw_the_defeat(play) and _has_room(play, None),
)
def block_tokens_for_defeat(play: Play, amount: int) -> None:
    """the figure gains block tokens when a hostile figure within 3 spaces is defeated"""
    if _saw_the_defeat(play):
        _gain(play, play.figure, TokenKind.BLOCK, amount)
