"""The order of activations, readying deployment cards, claiming the initiative, and figures that interrupt.

An interrupting figure moves or attacks at once, during any figure's activation.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field, StrictStr
from typing_extensions import TypedDict

from combatlog.rules.skirmish.cards import own_figures
from combatlog.rules.skirmish.conditions.activations import ACTS_AGAIN, MUST_ACTIVATE, SITS_TIGHT, bind
from combatlog.rules.skirmish.conditions.focused_hidden_harmful import delay_damage
from combatlog.rules.skirmish.effects.requirements_and_choices import Traits
from combatlog.rules.skirmish.movement import attack_now, move_now, place_within
from combatlog.rules.skirmish.pieces import Amount, Flag, Nested, effect, setting
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.setup import deployment_card
from combatlog.rules.skirmish.sheet import figure_sheet, group_of, has_trait, is_grouped
from combatlog.rules.skirmish.targeting import (
    chosen_up_to,
    friends_adjacent_to,
    friends_within,
    hostiles_of,
    is_adjacent,
    never_useful,
    one_of,
    targets_of,
)
from combatlog.rules.skirmish.turns import CLAIMED, give_initiative, keep_initiative, ready_figures
from combatlog.rules.skirmish.vocabulary import ACTIVATIONS, Need, Timing, slug
from projections.battle.combatant import Combatant


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
    """the deployment card of an adjacent friendly figure of the player's choice becomes ready"""
    figure = one_of(play, "ready.adjacent", _exhausted_friends(play))
    if figure is not None:
        _ready(play, figure)


def _ready_figures(play: Situation) -> list[Combatant]:
    return [figure for figure in own_figures(play.battle, play.player) if not _is_exhausted(figure)]


@effect(
    "exhaustOneDeploymentCard", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, last=True, changes=never_useful
)
def exhaust_one(play: Play, _: bool) -> None:
    """one of the player's deployment cards, of the player's choice, is exhausted: it is not activated in this round"""
    figure = one_of(play, "exhaust.own", _ready_figures(play), by=play.player.id)
    if figure is not None:
        _exhaust(play, figure)


@effect("endOfRoundSelfDamage", Amount, needs=Need.FIGURE, timing=Timing.END_OF_ACTIVATION, changes=never_useful)
def damage_later(play: Play, amount: int) -> None:
    """the figure suffers damage at the end of the round"""
    delay_damage(play.table, play.figure, play.source, amount)


FigureName = Annotated[StrictStr, Field(min_length=1, max_length=60)]


PROVOKERS = ("TROOPER", "GUARDIAN")
COST_IN_NUMBERS, COST_OF_SWARM = 12, 15
"""The highest total cost of the two deployment cards."""


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
    changes=never_useful,
    possible=_are_there,
)
def go_first(play: Play, name: str) -> None:
    """the player has to activate the figure with this name first in this round"""
    bind(play.table, play.player, MUST_ACTIVATE, play.source, _called(play, name))


@effect("sitTightPlayerNum", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, changes=never_useful)
def sit_tight(play: Play, _: bool) -> None:
    """the player activates no figure in this round until it has more ready deployment cards than the opponent"""
    bind(play.table, play.player, SITS_TIGHT, play.source, ())


def _provoked(play: Situation) -> list[Combatant]:
    """Ready hostile figures adjacent to one of the player's figures that can provoke them."""
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
    """after this deployment card, the player activates another one; the two cost at most 12 together"""
    bind(play.table, play.player, ACTS_AGAIN, play.source, _others(play, COST_IN_NUMBERS))


@effect(
    "squadSwarmPlayerNum",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.END_OF_ACTIVATION,
    possible=lambda play, _: bool(_swarm(play)),
)
def activate_namesake(play: Play, _: bool) -> None:
    """after this deployment card, the player activates another of the same name; the two cost at most 15 together"""
    bind(play.table, play.player, ACTS_AGAIN, play.source, _swarm(play))


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


WHILE_INTERRUPTING = "whileInterrupting"


class InterruptTarget(StrEnum):
    """The possible targets of an interrupting figure."""

    ANY = "any"
    OTHER = "other"
    DIFFERENT = "different"


class InterruptValue(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    move: NotRequired[Amount]
    attack: NotRequired[Flag]
    target: NotRequired[InterruptTarget]
    friendlyWithin: NotRequired[Amount]
    traits: NotRequired[Traits]
    upTo: NotRequired[Amount]


def _candidates(play: Situation, value: dict[str, Any]) -> list[Combatant]:
    """The figures that may interrupt: the figure that the card is played for, or its friends."""
    spaces = value.get("friendlyWithin")
    figures = [play.figure] if spaces is None else friends_within(play.battle, play.figure, spaces)
    traits = value.get("traits")
    return [figure for figure in figures if traits is None or has_trait(figure, traits)]


def _targets(play: Situation, figure: Combatant, which: str) -> list[Combatant]:
    hostile = hostiles_of(play.battle, figure)
    if which == InterruptTarget.ANY:
        return hostile
    return [one for one in hostile if (one is play.other) is (which == InterruptTarget.OTHER)]


def _does_something(play: Situation, value: dict[str, Any]) -> bool:
    """Whether a figure can move or already has a target."""
    figures = _candidates(play, value)
    if value.get("move"):
        return bool(figures)
    allowed = [(one, target) for one in figures for target in _allowed(play, one, value)]
    return any(target in targets_of(play.battle, one) for one, target in allowed)


def _allowed(play: Situation, figure: Combatant, value: dict[str, Any]) -> list[Combatant]:
    return _targets(play, figure, value.get("target", InterruptTarget.ANY)) if value.get("attack") else []


@effect(
    "interrupt", InterruptValue, needs=Need.FIGURE, timing=Timing.HOSTILE_ACTIVATES, last=True, possible=_does_something
)
def interrupt(play: Play, value: dict[str, Any]) -> None:
    """the figure, or some friendly figures within a number of spaces, may move with this many movement points, then
    attack any hostile figure, the other figure, or a different one"""
    for figure in chosen_up_to(play, "interrupt.who", _candidates(play, value), value.get("upTo", 1)):
        if points := value.get("move"):
            move_now(play.table, figure, points, then_attack=value.get("attack", False))
        targets = _allowed(play, figure, value)
        if targets:
            attack_now(play.table, figure, targets, play.ability.inner(WHILE_INTERRUPTING))


setting(
    WHILE_INTERRUPTING,
    Nested,
    of="interrupt",
    nested=True,
    does="these properties apply to the attacks",
)

STILL_FASTER = {"move": 2, "attack": True, "target": InterruptTarget.DIFFERENT}


@effect("setsStillFaster", Flag, needs=Need.FIGURE, timing=Timing.HOSTILE_ACTIVATES)
def be_faster(play: Play, _: bool) -> None:
    """the figure may move with 2 movement points, then attack a hostile figure other than the one that activates"""
    interrupt(play, STILL_FASTER)


@effect("pounceRange", Amount, needs=Need.MOVER, timing=Timing.SPECIAL_ACTION)
def pounce(play: Play, spaces: int) -> None:
    """the figure is placed in an empty space of the player's choice within this many spaces; then it may attack"""
    place_within(play.table, play.figure, spaces)
    attack_now(play.table, play.figure, hostiles_of(play.battle, play.figure))
