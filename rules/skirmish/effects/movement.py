"""Movement points."""

from __future__ import annotations

from rules.skirmish.play import Play
from rules.skirmish.registry import Amount, effect
from rules.skirmish.sheet import figure_sheet
from rules.skirmish.targeting import friends_adjacent_to
from rules.skirmish.vocabulary import MOVEMENT, Need, Timing


@effect("mpBonus", Amount, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION)
def gain_movement(play: Play, amount: int) -> None:
    """the figure gains movement points"""
    play.table.gain(play.figure, MOVEMENT, amount, play.reason, play.source)


@effect("mpBonusToAdjacent", Amount, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION)
def give_movement_to_adjacent(play: Play, amount: int) -> None:
    """adjacent friendly figures gain movement points, to be spent before this activation ends"""
    for figure in friends_adjacent_to(play.battle, [play.figure]):
        play.table.gain(figure, MOVEMENT, amount, play.reason, play.source)


@effect("mpBonusFromSpeed", Amount, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, counts_zero=True)
def gain_movement_from_speed(play: Play, amount: int) -> None:
    """the figure gains movement points: its Speed plus this many"""
    play.table.gain(play.figure, MOVEMENT, figure_sheet(play.figure).speed + amount, play.reason, play.source)


@effect("mpAfterAttack", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION, with_attack=True)
def gain_movement_after_attack(play: Play, amount: int) -> None:
    """the figure attacks, then gains movement points"""
    play.movement_after_attack = amount
