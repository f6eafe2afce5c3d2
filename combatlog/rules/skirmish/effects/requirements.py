"""What has to hold for an entry to have any effect: traits, range, damage and the target of an attack."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.skirmish.footprint import is_large
from combatlog.rules.skirmish.play import Situation
from combatlog.rules.skirmish.registry import Amount, Flag, Trait, requirement
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play, has_trait, is_in_play, is_ranged
from combatlog.rules.skirmish.targeting import is_adjacent, sees, spaces_between
from combatlog.rules.skirmish.vitality import suffered
from projections.combatant import Combatant

Traits = Annotated[list[Trait], Field(min_length=1)]


def _hostiles(play: Situation) -> list[Combatant]:
    return [figure for figure in figures_in_play(play.battle) if figure.side != play.player.side]


@requirement("onlyIfTrait", Traits)
def figure_has_trait(play: Situation, traits: list[str]) -> bool:
    """only if the figure has one of these traits"""
    return has_trait(play.figure_if_any, traits)


@requirement("onlyIfTargetTrait", Traits)
def other_has_trait(play: Situation, traits: list[str]) -> bool:
    """only if the other figure has one of these traits"""
    return has_trait(play.other, traits)


@requirement("onlyIfTargetSmall", Flag)
def other_is_small(play: Situation, wanted: bool) -> bool:
    """only if the other figure takes up a single space"""
    return play.other is not None and is_large(play.other) is not wanted


@requirement("onlyIfTargetRanged", Flag)
def other_is_ranged(play: Situation, wanted: bool) -> bool:
    """only if the other figure's attacks are ranged"""
    return play.other is not None and is_ranged(play.other) is wanted


@requirement("onlyIfMelee", Flag)
def figure_is_in_melee(play: Situation, wanted: bool) -> bool:
    """only if the figure's attacks are melee attacks"""
    return play.figure_if_any is not None and is_ranged(play.figure) is not wanted


@requirement("onlyIfTargetWithinSpaces", Amount)
def other_is_near(play: Situation, spaces: int) -> bool:
    """only if the other figure is within this many spaces"""
    return play.figure_if_any is not None and play.other is not None and _is_within(play, spaces)


def _is_within(play: Situation, spaces: int) -> bool:
    assert play.other is not None
    return play.other.position is not None and spaces_between(play.battle, play.figure, play.other) <= spaces


@requirement("onlyIfTargetInSight", Flag)
def other_is_seen(play: Situation, wanted: bool) -> bool:
    """only if the figure has line of sight to the other figure"""
    other = play.other
    return play.figure_if_any is not None and other is not None and sees(play.battle, play.figure, other) is wanted


@requirement("onlyIfTargetHasHighestCost", Flag)
def other_costs_most(play: Situation, wanted: bool) -> bool:
    """only if no hostile figure costs more than the other figure"""
    if play.other is None:
        return False
    dearest = max((figure_sheet(figure).cost for figure in _hostiles(play)), default=0)
    return (figure_sheet(play.other).cost >= dearest) is wanted


@requirement("onlyIfTargetUnique", Flag)
def other_is_unique(play: Situation, wanted: bool) -> bool:
    """only if the other figure is unique"""
    return play.other is not None and figure_sheet(play.other).unique is wanted


@requirement("onlyIfTargetDefeated", Flag)
def other_is_defeated(play: Situation, wanted: bool) -> bool:
    """only if the other figure was defeated"""
    return play.other is not None and (not is_in_play(play.other)) is wanted


@requirement("onlyIfSufferedDamageGte", Amount)
def figure_is_hurt(play: Situation, damage: int) -> bool:
    """only if the figure has suffered at least this much damage"""
    return play.figure_if_any is not None and suffered(play.figure) >= damage


@requirement("onlyIfHostileAdjacent", Flag)
def hostile_is_adjacent(play: Situation, wanted: bool) -> bool:
    """only if a hostile figure is adjacent; false: only if none is"""
    if play.figure_if_any is None:
        return False
    return any(is_adjacent(play.battle, play.figure, figure) for figure in _hostiles(play)) is wanted
