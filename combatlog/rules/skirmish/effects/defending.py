"""What a defender adds, in one attack or until the round ends."""

from __future__ import annotations

from combatlog.rules.skirmish import usefulness
from combatlog.rules.skirmish.attack_state import DEFENSE_POOL
from combatlog.rules.skirmish.conditions.round_defense import add_defense_bonus
from combatlog.rules.skirmish.dice import DefenseColour
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect, refinement, setting
from combatlog.rules.skirmish.vocabulary import Need, Symbol, Timing


def _add(play: Play, symbol: Symbol, amount: int) -> None:
    play.attack.modify("cards", play.source, play.figure.id, play.reason, symbol, amount)


@effect("applyDefenseBonusBlock", Amount, needs=Need.DEFENDER, timing=Timing.DEFENDING, changes=usefulness.less_damage)
def more_block(play: Play, amount: int) -> None:
    """adds Block to the defense"""
    _add(play, Symbol.BLOCK, amount)


@effect("applyDefenseBonusEvade", Amount, needs=Need.DEFENDER, timing=Timing.DEFENDING, changes=usefulness.more_evade)
def more_evade(play: Play, amount: int) -> None:
    """adds Evade to the defense; it also counts for the hit check"""
    _add(play, Symbol.EVADE, amount)
    play.attack.count_for_hit_check(play.source, play.figure.id, play.reason, amount)


@effect("defenseBonusDice", Amount, needs=Need.DEFENDER, timing=Timing.DEFENDING, before_roll=True)
def more_defense_dice(play: Play, amount: int) -> None:
    """adds dice to the defense pool, black unless a colour is given"""
    colour = play.ability.properties.get("defenseBonusDiceColor", DefenseColour.BLACK)
    play.attack.add_dice("cards", DEFENSE_POOL, colour, amount, play.source, play.figure.id, play.reason)


setting("defenseBonusDiceColor", DefenseColour, of="defenseBonusDice", does="the colour of the dice")


@refinement(
    "defenseBonusOnlyWhenNotAttackerActivation",
    Flag,
    of=("applyDefenseBonusBlock", "applyDefenseBonusEvade", "defenseBonusDice"),
)
def only_out_of_activation(play: Situation, amount: int, only: bool) -> int | None:
    """only if it is not the attacker's activation"""
    return None if only and play.attack.in_own_activation else amount


@effect("roundDefenseBonusBlock", Amount, needs=Need.PLAYER, timing=Timing.DURING_ACTIVATION)
def round_block(play: Play, amount: int) -> None:
    """the player's figures gain Block when defending until the round ends"""
    add_defense_bonus(play.table, play.player, play.source, Symbol.BLOCK, amount)


@effect("roundDefenseBonusEvade", Amount, needs=Need.PLAYER, timing=Timing.DURING_ACTIVATION)
def round_evade(play: Play, amount: int) -> None:
    """the player's figures gain Evade when defending until the round ends; it also counts for the hit check"""
    add_defense_bonus(play.table, play.player, play.source, Symbol.EVADE, amount)
