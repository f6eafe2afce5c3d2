"""Movement points, and figures that are pushed."""

from __future__ import annotations

from combatlog.rules.skirmish.conditions.next_activation import NEXT_ACTIVATION
from combatlog.rules.skirmish.displacing import push
from combatlog.rules.skirmish.effects.requirements import Traits
from combatlog.rules.skirmish.figures import friends_within, one_of
from combatlog.rules.skirmish.footprint import is_large
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, effect, price, setting
from combatlog.rules.skirmish.sheet import has_trait, speed_of
from combatlog.rules.skirmish.targeting import friends_adjacent_to
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vocabulary import MOVEMENT, Need, Timing
from projections.combatant import Combatant

_DURING = Timing.DURING_ACTIVATION


@effect("mpBonus", Amount, needs=Need.MOVER, timing=_DURING)
def gain_movement(play: Play, amount: int) -> None:
    """the figure gains movement points"""
    play.table.gain(play.figure, MOVEMENT, amount, play.reason, play.source)


@effect("freeMoveBonus", Amount, needs=Need.MOVER, timing=_DURING)
def move_freely(play: Play, amount: int) -> None:
    """the figure gains movement points to move with at once"""
    gain_movement(play, amount)


def _adjacent(play: Situation) -> list[Combatant]:
    traits = play.ability.properties.get("mpBonusToAdjacentIfTrait")
    friends = friends_adjacent_to(play.battle, [play.figure])
    return [figure for figure in friends if traits is None or has_trait(figure, traits)]


@effect("mpBonusToAdjacent", Amount, needs=Need.MOVER, timing=_DURING, changes=lambda play, _: bool(_adjacent(play)))
def give_movement_to_adjacent(play: Play, amount: int) -> None:
    """adjacent friendly figures gain movement points, to be spent before this activation ends"""
    for figure in _adjacent(play):
        play.table.gain(figure, MOVEMENT, amount, play.reason, play.source)


setting("mpBonusToAdjacentIfTrait", Traits, of="mpBonusToAdjacent", does="only those with one of these traits")


@effect("mpBonusFromSpeed", Amount, needs=Need.MOVER, timing=_DURING, counts_zero=True)
def gain_movement_from_speed(play: Play, amount: int) -> None:
    """the figure gains movement points: its Speed plus this many"""
    gain_movement(play, speed_of(play.figure) + amount)


@effect("mpAfterAttack", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION, with_attack=True)
def gain_movement_after_attack(play: Play, amount: int) -> None:
    """the figure attacks, then gains movement points"""
    play.movement_after_attack = amount


@effect("nextActivationMpBonus", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION)
def gain_movement_next(play: Play, amount: int) -> None:
    """the figure gains movement points when its next activation starts"""
    play.table.apply_condition(
        play.figure, NEXT_ACTIVATION, source=play.source, owner=play.player.id, data={"mp": amount}
    )


price("mpCost", Amount, resource=MOVEMENT, does="the figure spends this many movement points on it")

PUSHED_WITHIN = 3


def _pushable(play: Situation) -> list[Combatant]:
    return [figure for figure in friends_within(play.battle, play.figure, PUSHED_WITHIN) if not is_large(figure)]


@effect("pushFriendlyWithin3Spaces", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION, changes=never)
def push_friend(play: Play, spaces: int) -> None:
    """a small friendly figure within 3 spaces is pushed up to this many spaces; the player chooses who and where"""
    figure = one_of(play, "push.figure", _pushable(play))
    if figure is not None:
        push(play.table, play.player, figure, spaces)
