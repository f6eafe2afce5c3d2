"""What an attacker adds to an attack."""

from __future__ import annotations

from rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL
from rules.skirmish.dice import AttackColour, DefenseColour
from rules.skirmish.play import Play
from rules.skirmish.player_choice import choose
from rules.skirmish.registry import Amount, Flag, effect, refinement, setting
from rules.skirmish.vitality import is_defeated
from rules.skirmish.vocabulary import Need, Symbol, Timing, name_in, ref

_ATTACKER = Need.ATTACKER


def add(play: Play, symbol: Symbol, amount: int) -> None:
    play.attack.modify("cards", play.source, play.figure.id, play.reason, symbol, amount)


@effect("attackSurgeBonus", Amount, needs=_ATTACKER, timing=Timing.ATTACKING)
def more_surges(play: Play, amount: int) -> None:
    """adds surges to the attack"""
    add(play, Symbol.SURGE, amount)


@effect("attackBonusHits", Amount, needs=_ATTACKER, timing=Timing.ATTACKING)
def more_hits(play: Play, amount: int) -> None:
    """adds hits to the attack"""
    add(play, Symbol.DAMAGE, amount)


@effect("attackAccuracyBonus", Amount, needs=_ATTACKER, timing=Timing.ATTACKING)
def more_accuracy(play: Play, amount: int) -> None:
    """adds accuracy to the attack"""
    add(play, Symbol.ACCURACY, amount)


@effect("attackBonusPierce", Amount, needs=_ATTACKER, timing=Timing.ATTACKING)
def more_pierce(play: Play, amount: int) -> None:
    """adds Pierce to the attack"""
    add(play, Symbol.PIERCE, amount)


@effect("attackBonusBlast", Amount, needs=_ATTACKER, timing=Timing.DECLARING)
def more_blast(play: Play, amount: int) -> None:
    """the attack gains Blast"""
    add(play, Symbol.BLAST, amount)


@effect("attackBonusHitsFromDefeatedFriendly", Amount, needs=_ATTACKER, timing=Timing.DECLARING)
def hits_for_the_defeated(play: Play, amount: int) -> None:
    """adds hits for each defeated friendly figure"""
    fallen = [c for c in play.battle.combatants.values() if c.side == play.player.side and is_defeated(c)]
    most = play.ability.properties.get("attackBonusHitsFromDefeatedMax")
    hits = amount * len(fallen)
    if hits:
        add(play, Symbol.DAMAGE, hits if most is None else min(hits, most))


setting(
    "attackBonusHitsFromDefeatedMax",
    Amount,
    of="attackBonusHitsFromDefeatedFriendly",
    does="the most hits that this adds",
)


@effect("attackBonusDice", Amount, needs=_ATTACKER, timing=Timing.DECLARING, before_roll=True)
def more_attack_dice(play: Play, amount: int) -> None:
    """adds dice to the attack pool, of the pool's first colour unless a colour is given"""
    primary = next(iter(play.attack.attack_pool), AttackColour.RED)
    colour = play.ability.properties.get("attackBonusDiceColor", primary)
    play.attack.add_dice("cards", ATTACK_POOL, colour, amount, play.source, play.figure.id, play.reason)


setting("attackBonusDiceColor", AttackColour, of="attackBonusDice", does="the colour of the dice")


@effect("defenseBonusDiceFromAttacker", Amount, needs=_ATTACKER, timing=Timing.DECLARING, before_roll=True)
def give_defense_dice(play: Play, amount: int) -> None:
    """adds dice to the defender's pool, white unless a colour is given"""
    colour = play.ability.properties.get("defenseBonusDiceFromAttackerColor", DefenseColour.WHITE)
    play.attack.add_dice("cards", DEFENSE_POOL, colour, amount, play.source, play.figure.id, play.reason)


setting(
    "defenseBonusDiceFromAttackerColor",
    DefenseColour,
    of="defenseBonusDiceFromAttacker",
    does="the colour of the dice",
)


@effect("defensePoolRemoveMax", Amount, needs=_ATTACKER, timing=Timing.DECLARING, before_roll=True)
def remove_defense_dice(play: Play, limit: int) -> None:
    """removes up to this many dice from the defender's pool; the attacker chooses which"""
    for _ in range(min(limit, len(play.attack.defense_pool))):
        colours = [ref("die", colour) for colour in play.attack.defense_pool]
        chosen = choose(play.table, "pool.remove", play.player, play.figure.id, colours, default=colours[0])
        _remove(play, name_in(chosen))


@effect("defensePoolRemoveAll", Flag, needs=_ATTACKER, timing=Timing.DECLARING, before_roll=True)
def remove_all_defense_dice(play: Play, _: bool) -> None:
    """removes all dice from the defender's pool"""
    for colour in list(play.attack.defense_pool):
        _remove(play, colour)


def _remove(play: Play, colour: str) -> None:
    play.attack.add_dice("cards", DEFENSE_POOL, colour, -1, play.source, play.figure.id, play.reason)


@refinement("defensePoolRemoveOnlyWhenNotAttackerActivation", Flag, of=("defensePoolRemoveAll", "defensePoolRemoveMax"))
def remove_only_out_of_activation(play: Play, value: int, only: bool) -> int | None:
    """only if it is not the attacker's activation"""
    return None if only and play.attack.in_own_activation else value
