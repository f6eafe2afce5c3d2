"""Cards about who is activated next."""

from __future__ import annotations

from combatlog.rules.skirmish.activation_order import ready_figures
from combatlog.rules.skirmish.army import deployment_card
from combatlog.rules.skirmish.conditions.activation_order import ACTS_AGAIN, MUST_ACTIVATE, SITS_TIGHT, bind
from combatlog.rules.skirmish.effects.readying import FigureName
from combatlog.rules.skirmish.figures import one_of
from combatlog.rules.skirmish.moments import own_figures
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Flag, effect
from combatlog.rules.skirmish.sheet import figure_sheet, group_of, has_trait, is_grouped
from combatlog.rules.skirmish.targeting import is_adjacent
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vocabulary import Need, Timing, slug
from projections.combatant import Combatant

PROVOKERS = ("TROOPER", "GUARDIAN")
COST_IN_NUMBERS, COST_OF_SWARM = 12, 15
"""What the two deployment cards may cost together."""


def _called(play: Situation, name: str) -> list[Combatant]:
    ready = ready_figures(play.battle, play.player)
    return [one for one in ready if slug(name) in (slug(one.name), slug(figure_sheet(one).name))]


def _are_there(play: Situation, name: str) -> bool:
    return bool(_called(play, name))


@effect(
    "firstActivationFigureName",
    FigureName,
    needs=Need.PLAYER,
    timing=Timing.START_OF_ROUND,
    changes=never,
    possible=_are_there,
)
def go_first(play: Play, name: str) -> None:
    """the player's first activation in this round is that of the figure with this name"""
    bind(play.table, play.player, MUST_ACTIVATE, play.source, _called(play, name))


@effect("sitTightPlayerNum", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, changes=never)
def sit_tight(play: Play, _: bool) -> None:
    """the player activates nobody in this round until it has more ready deployment cards than the opponent"""
    bind(play.table, play.player, SITS_TIGHT, play.source, ())


def _provoked(play: Situation) -> list[Combatant]:
    """Ready hostile figures next to one of the player's that can provoke them."""
    own = [figure for figure in own_figures(play.battle, play.player) if has_trait(figure, PROVOKERS)]
    ready = ready_figures(play.battle, play.opponent)
    return [figure for figure in ready if any(is_adjacent(play.battle, figure, one) for one in own)]


@effect(
    "provokeNextActivation",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.END_OF_ACTIVATION,
    possible=lambda play, _: bool(_provoked(play)),
)
def provoke(play: Play, _: bool) -> None:
    """the opponent next activates the group of a figure next to one of the player's TROOPERS or GUARDIANS, which the
    player chooses"""
    figure = one_of(play, "provoke", _provoked(play))
    if figure is not None:
        bind(play.table, play.opponent, MUST_ACTIVATE, play.source, group_of(play.battle, figure))


def _others(play: Situation, most: int) -> list[Combatant]:
    """Ready figures of other deployment cards that do not cost too much together with this one."""
    left = most - deployment_card(play.battle, play.figure).cost
    ready = ready_figures(play.battle, play.player)
    others = [figure for figure in ready if not is_grouped(play.figure, figure)]
    return [figure for figure in others if deployment_card(play.battle, figure).cost <= left]


def _swarm(play: Situation) -> list[Combatant]:
    name = figure_sheet(play.figure).name
    return [figure for figure in _others(play, COST_OF_SWARM) if figure_sheet(figure).name == name]


@effect(
    "strengthInNumbersPlayerNum",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.END_OF_ACTIVATION,
    possible=lambda play, _: bool(_others(play, COST_IN_NUMBERS)),
)
def activate_another(play: Play, _: bool) -> None:
    """after this deployment card the player activates another one; the two cost 12 at most"""
    bind(play.table, play.player, ACTS_AGAIN, play.source, _others(play, COST_IN_NUMBERS))


@effect(
    "squadSwarmPlayerNum",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.END_OF_ACTIVATION,
    possible=lambda play, _: bool(_swarm(play)),
)
def activate_namesake(play: Play, _: bool) -> None:
    """after this deployment card the player activates another one of the same name; the two cost 15 at most"""
    bind(play.table, play.player, ACTS_AGAIN, play.source, _swarm(play))
