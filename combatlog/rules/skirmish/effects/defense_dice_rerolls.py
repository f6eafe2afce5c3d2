"""What a defender adds to an attack, rerolls, and cards that remove or turn single dice."""

from __future__ import annotations

from combatlog.rules.skirmish import targeting
from combatlog.rules.skirmish.attack import places_of, reroll, some_die_is_worth_it, worth_of
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL, AttackFlag
from combatlog.rules.skirmish.conditions.attack_and_defense_bonuses import add_attack_rerolls, add_defense_bonus
from combatlog.rules.skirmish.pieces import Amount, Flag, effect, refinement, setting
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import choose, has_trait, player_of
from combatlog.rules.skirmish.vocabulary import (
    DICE,
    DODGE_FACE,
    AttackColour,
    DefenseColour,
    Need,
    Symbol,
    Timing,
    name_in,
    ref,
    symbols,
)


def _add(play: Play, symbol: Symbol, amount: int) -> None:
    play.attack.modify("cards", play.source, play.figure.id, play.reason, symbol, amount)


@effect(
    "applyDefenseBonusBlock", Amount, needs=Need.DEFENDER, timing=Timing.DEFENDING, changes=targeting.block_is_useful
)
def more_block(play: Play, amount: int) -> None:
    """adds Block to the defense"""
    _add(play, Symbol.BLOCK, amount)


@effect(
    "applyDefenseBonusEvade", Amount, needs=Need.DEFENDER, timing=Timing.DEFENDING, changes=targeting.evade_is_useful
)
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


def _own(play: Situation, _: object) -> bool:
    pool = ATTACK_POOL if play.provides(Need.ATTACKER) else DEFENSE_POOL
    return some_die_is_worth_it(play.attack, play.figure, [pool])


def _allow(play: Play, pool: str, dice: int) -> None:
    """Allow rerolls of a pool: now, or after the roll if it is still to come."""
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
"""The attack dice in order of their damage, the lowest first."""


@effect(
    "attackPoolKeepMax",
    Amount,
    needs=Need.DEFENDER,
    timing=Timing.DEFENDING,
    before_roll=True,
    changes=lambda play, most: len(play.attack.attack_pool) > most,
)
def keep_attack_dice(play: Play, most: int) -> None:
    """the attacker keeps this many dice of its choice and removes the others from the attack pool"""
    attacker = play.attack.attacker
    while len(play.attack.attack_pool) > most:
        dice = [ref("die", colour) for colour in play.attack.attack_pool]
        weakest = min(dice, key=lambda die: STRENGTH.index(name_in(die)))
        player = player_of(play.battle, attacker)
        _remove(play, name_in(choose(play.table, "pool.give_up", player, attacker.id, dice, default=weakest)))


BLANK_ATTACK, BLANK_DEFENSE = "0/0/0", "0/0"
INSTEAD_OF_DODGE = "2/1"
"""2 block and 1 evade."""


def _is_theirs(play: Situation, place: int) -> bool:
    return (place < len(play.attack.attack_pool)) is (play.figure is play.attack.defender)


def _shows_something(play: Situation, _: bool) -> bool:
    place = play.attack.rerolled[-1]
    return _is_theirs(play, place) and any(symbols(play.attack.faces[place][1]).values())


@effect(
    "setsToughLuck",
    Flag,
    needs=Need.REROLLED_DIE,
    timing=Timing.OPPONENT_REROLLS,
    changes=_shows_something,
)
def remove_rerolled_die(play: Play, _: bool) -> None:
    """the die that the opponent just rerolled does not count"""
    place = play.attack.rerolled[-1]
    colour, face = play.attack.faces[place]
    blank = BLANK_ATTACK if colour in list(AttackColour) else BLANK_DEFENSE
    play.attack.faces[place] = (colour, blank)
    play.attack.mark(AttackFlag.DIE_REMOVED, play.source, play.figure.id, f"{play.reason}: the {colour} die ({face})")


def _dice(play: Situation) -> dict[str, int]:
    return places_of(play.attack, ATTACK_POOL if play.figure is play.attack.attacker else DEFENSE_POOL)


def _is_able(play: Situation, _: bool) -> bool:
    return has_trait(play.figure, ["REBEL"]) and has_trait(play.figure, ["FORCE USER"]) and bool(_dice(play))


@effect(
    "setsTherIsNoTry",
    Flag,
    needs=Need.ROLLED_DICE,
    timing=Timing.ATTACKING,
    after_roll=True,
    possible=_is_able,
)
def turn_die(play: Play, _: bool) -> None:
    """a REBEL FORCE USER that attacks, or defends if the timing says so, turns one of its dice to any side; a dodge
    counts as 2 Block and 1 Evade"""
    dice, faces = _dice(play), play.attack.faces
    weakest = min(dice, key=lambda name: worth_of(faces[dice[name]][1]))
    place = dice[choose(play.table, "die.turn", play.player, play.figure.id, list(dice), default=weakest)]
    colour = faces[place][0]
    sides = {ref("face", str(face)): str(face) for face in DICE[colour].faces}
    best = max((name for name in sides if sides[name] != DODGE_FACE), key=lambda name: worth_of(sides[name]))
    side = sides[choose(play.table, "die.side", play.player, play.figure.id, list(sides), default=best)]
    faces[place] = (colour, INSTEAD_OF_DODGE if side == DODGE_FACE else side)
    play.attack.mark(AttackFlag.DIE_TURNED, play.source, play.figure.id, f"{play.reason}: the {colour} die to {side}")
