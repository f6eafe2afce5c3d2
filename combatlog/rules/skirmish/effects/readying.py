"""Readying and exhausting deployment cards: whether their figures can be activated in this round."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictStr

from combatlog.rules.skirmish.conditions.debts import owe
from combatlog.rules.skirmish.figures import one_of
from combatlog.rules.skirmish.moments import own_figures
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.sheet import group_of
from combatlog.rules.skirmish.targeting import friends_adjacent_to
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vocabulary import ACTIVATIONS, Need, Timing
from projections.combatant import Combatant


def _is_exhausted(figure: Combatant) -> bool:
    return figure.economy.left(ACTIVATIONS) == 0


def _ready(play: Play, figure: Combatant) -> None:
    for member in group_of(play.battle, figure):
        if _is_exhausted(member):
            play.table.reset(member, ACTIVATIONS, 1, play.reason, play.source)


def _exhaust(play: Play, figure: Combatant) -> None:
    for member in group_of(play.battle, figure):
        if not _is_exhausted(member):
            play.table.reset(member, ACTIVATIONS, 0, play.reason, play.source)


@effect(
    "readyOwnDeploymentCard",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.END_OF_ACTIVATION,
    changes=lambda play, _: any(map(_is_exhausted, group_of(play.battle, play.figure))),
)
def ready_own(play: Play, _: bool) -> None:
    """the figure's deployment card becomes ready: it can be activated again in this round"""
    _ready(play, play.figure)


def _exhausted_friends(play: Situation) -> list[Combatant]:
    return [figure for figure in friends_adjacent_to(play.battle, [play.figure]) if _is_exhausted(figure)]


@effect(
    "readyAdjacentFriendlyDeploymentCard",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: bool(_exhausted_friends(play)),
)
def ready_adjacent(play: Play, _: bool) -> None:
    """the deployment card of an adjacent friendly figure, which the player chooses, becomes ready"""
    figure = one_of(play, "ready.adjacent", _exhausted_friends(play))
    if figure is not None:
        _ready(play, figure)


def _ready_figures(play: Situation) -> list[Combatant]:
    return [figure for figure in own_figures(play.battle, play.player) if not _is_exhausted(figure)]


@effect("exhaustOneDeploymentCard", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, last=True, changes=never)
def exhaust_one(play: Play, _: bool) -> None:
    """one of the player's deployment cards, which it chooses, is exhausted: it is not activated in this round"""
    figure = one_of(play, "exhaust.own", _ready_figures(play), by=play.player.id)
    if figure is not None:
        _exhaust(play, figure)


@effect("endOfRoundSelfDamage", Amount, needs=Need.FIGURE, timing=Timing.END_OF_ACTIVATION, changes=never)
def damage_later(play: Play, amount: int) -> None:
    """the figure suffers damage at the end of the round"""
    owe(play.table, play.figure, play.source, amount)


FigureName = Annotated[StrictStr, Field(min_length=1, max_length=60)]
