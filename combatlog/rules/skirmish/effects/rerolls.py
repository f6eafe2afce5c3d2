"""Rerolling and removing dice."""

from __future__ import annotations

from combatlog.rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL
from combatlog.rules.skirmish.conditions.round_attack import add_attack_rerolls
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.rerolls import reroll, some_die_is_worth_it
from combatlog.rules.skirmish.sheet import player_of
from combatlog.rules.skirmish.vocabulary import Need, Timing, name_in, ref


def _own(play: Situation, _: object) -> bool:
    pool = ATTACK_POOL if play.provides(Need.ATTACKER) else DEFENSE_POOL
    return some_die_is_worth_it(play.attack, play.figure, [pool])


def _allow(play: Play, pool: str, dice: int) -> None:
    """Before the roll, the reroll waits for it."""
    if play.attack.is_rolled:
        reroll(play.table, play.attack, play.figure, [pool], dice, advised=True)
    else:
        play.attack.rerolls[pool] = play.attack.rerolls.get(pool, 0) + dice


@effect("rerollOneAttackDie", Flag, needs=Need.ATTACKER, timing=Timing.ATTACKING, changes=_own)
def reroll_attack_die(play: Play, _: bool) -> None:
    """the attacker may reroll one attack die"""
    _allow(play, ATTACK_POOL, 1)


@effect("rerollDefenseDice", Amount, needs=Need.DEFENDER, timing=Timing.DEFENDING, changes=_own)
def reroll_defense_dice(play: Play, dice: int) -> None:
    """the defender may reroll this many defense dice"""
    _allow(play, DEFENSE_POOL, dice)


def _any(play: Situation, _: object) -> bool:
    return some_die_is_worth_it(play.attack, play.figure, [ATTACK_POOL, DEFENSE_POOL])


@effect("defenderRerollDiceMax", Amount, needs=Need.DEFENDER, timing=Timing.DEFENDING, after_roll=True, changes=_any)
def reroll_any_dice(play: Play, dice: int) -> None:
    """the defender has up to this many attack or defense dice rerolled"""
    reroll(play.table, play.attack, play.figure, [DEFENSE_POOL, ATTACK_POOL], dice, advised=True)


@effect("roundAttackRerollDice", Amount, needs=Need.PLAYER, timing=Timing.START_OF_ROUND)
def reroll_all_round(play: Play, dice: int) -> None:
    """the player's figures may reroll this many attack dice in each attack until the round ends"""
    add_attack_rerolls(play.table, play.player, play.source, dice)


def _remove(play: Play, colour: str) -> None:
    play.attack.add_dice("cards", ATTACK_POOL, colour, -1, play.source, play.figure.id, play.reason)


@effect(
    "attackPoolRemoveMax",
    Amount,
    needs=Need.DEFENDER,
    timing=Timing.DEFENDING,
    before_roll=True,
    changes=lambda play, _: bool(play.attack.attack_pool),
)
def remove_attack_dice(play: Play, limit: int) -> None:
    """the defender chooses this many dice and removes them from the attack pool"""
    for _ in range(min(limit, len(play.attack.attack_pool))):
        dice = [ref("die", colour) for colour in play.attack.attack_pool]
        strongest = max(dice, key=lambda die: STRENGTH.index(name_in(die)))
        _remove(play, name_in(choose(play.table, "pool.remove", play.player, play.figure.id, dice, default=strongest)))


STRENGTH = ("yellow", "blue", "green", "red")
"""The attack dice from the least to the most damage."""


@effect(
    "attackPoolKeepMax",
    Amount,
    needs=Need.DEFENDER,
    timing=Timing.DEFENDING,
    before_roll=True,
    changes=lambda play, most: len(play.attack.attack_pool) > most,
)
def keep_attack_dice(play: Play, most: int) -> None:
    """the attacker keeps this many dice, which it chooses, and removes the others from the attack pool"""
    attacker = play.attack.attacker
    while len(play.attack.attack_pool) > most:
        dice = [ref("die", colour) for colour in play.attack.attack_pool]
        weakest = min(dice, key=lambda die: STRENGTH.index(name_in(die)))
        player = player_of(play.battle, attacker)
        _remove(play, name_in(choose(play.table, "pool.give_up", player, attacker.id, dice, default=weakest)))
