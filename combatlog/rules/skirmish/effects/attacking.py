"""What an attacker adds to an attack."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.skirmish import usefulness
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL
from combatlog.rules.skirmish.dice import AttackColour, DefenseColour
from combatlog.rules.skirmish.effects.next_attacks import ConditionWord
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import ask
from combatlog.rules.skirmish.registry import Amount, Flag, effect, refinement, setting
from combatlog.rules.skirmish.sheet import figures_in_play, is_ranged
from combatlog.rules.skirmish.targeting import is_adjacent, targets_of
from combatlog.rules.skirmish.vitality import condition_called, is_defeated, suffered
from combatlog.rules.skirmish.vocabulary import Need, Symbol, Timing, name_in, ref

_ATTACKER = Need.ATTACKER


def add(play: Play, symbol: Symbol, amount: int) -> None:
    play.attack.modify(play.attack.card_stage, play.source, play.figure.id, play.reason, symbol, amount)


@effect(
    "attackSurgeBonus",
    Amount,
    needs=_ATTACKER,
    timing=Timing.ATTACKING,
    in_surge_step=True,
    changes=usefulness.more_surges,
)
def more_surges(play: Play, amount: int) -> None:
    """adds surges to the attack"""
    add(play, Symbol.SURGE, amount)


@effect("attackBonusHits", Amount, needs=_ATTACKER, timing=Timing.ATTACKING, changes=usefulness.more_damage)
def more_hits(play: Play, amount: int) -> None:
    """adds hits to the attack"""
    add(play, Symbol.DAMAGE, amount)


@refinement("attackBonusHitsIfTargetRanged", Amount, of=("attackBonusHits",))
def hits_against_ranged(play: Situation, amount: int, instead: int) -> int:
    """a different number if the target's attacks are ranged"""
    return instead if is_ranged(play.attack.defender) else amount


@effect("attackAccuracyBonus", Amount, needs=_ATTACKER, timing=Timing.ATTACKING, changes=usefulness.more_accuracy)
def more_accuracy(play: Play, amount: int) -> None:
    """adds accuracy to the attack"""
    add(play, Symbol.ACCURACY, amount)


@effect("attackBonusPierce", Amount, needs=_ATTACKER, timing=Timing.ATTACKING, changes=usefulness.more_pierce)
def more_pierce(play: Play, amount: int) -> None:
    """adds Pierce to the attack"""
    add(play, Symbol.PIERCE, amount)


def _somebody_near_the_target(play: Situation, _: int) -> bool:
    return any(is_adjacent(play.battle, play.attack.defender, figure) for figure in figures_in_play(play.battle))


@effect("attackBonusBlast", Amount, needs=_ATTACKER, timing=Timing.DECLARING, changes=_somebody_near_the_target)
def more_blast(play: Play, amount: int) -> None:
    """the attack gains Blast"""
    add(play, Symbol.BLAST, amount)


@effect(
    "attackBonusCleave",
    Amount,
    needs=_ATTACKER,
    timing=Timing.ATTACKING,
    changes=lambda play, _: len(targets_of(play.battle, play.figure)) > 1,
)
def more_cleave(play: Play, amount: int) -> None:
    """the attack gains Cleave"""
    add(play, Symbol.CLEAVE, amount)


@effect(
    "attackBonusRecover",
    Amount,
    needs=_ATTACKER,
    timing=Timing.ATTACKING,
    changes=lambda play, _: suffered(play.figure) > 0,
)
def more_recovery(play: Play, amount: int) -> None:
    """the attacker recovers damage after the attack"""
    add(play, Symbol.RECOVER, amount)


@effect(
    "attackBonusConditions",
    Annotated[list[ConditionWord], Field(min_length=1)],
    needs=_ATTACKER,
    timing=Timing.ATTACKING,
    changes=usefulness.more_damage,
)
def apply_conditions(play: Play, words: list[str]) -> None:
    """if the target suffers damage, it gets these conditions; Focus and Hide are the attacker's"""
    play.attack.conditions += [(condition_called(word), play.source) for word in words]


def _fallen(play: Situation) -> int:
    return sum(c.side == play.player.side and is_defeated(c) for c in play.battle.combatants.values())


@effect(
    "attackBonusHitsFromDefeatedFriendly",
    Amount,
    needs=_ATTACKER,
    timing=Timing.DECLARING,
    changes=lambda play, _: _fallen(play) > 0,
)
def hits_for_the_defeated(play: Play, amount: int) -> None:
    """adds hits for each defeated friendly figure"""
    most = play.ability.properties.get("attackBonusHitsFromDefeatedMax")
    hits = amount * _fallen(play)
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


@effect(
    "defenseBonusDiceFromAttacker",
    Amount,
    needs=_ATTACKER,
    timing=Timing.DECLARING,
    before_roll=True,
    changes=usefulness.never,
)
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


@effect(
    "defensePoolRemoveMax",
    Amount,
    needs=_ATTACKER,
    timing=Timing.DECLARING,
    before_roll=True,
    changes=usefulness.fewer_defense_dice,
)
def remove_defense_dice(play: Play, limit: int) -> None:
    """removes up to this many dice from the defender's pool; the attacker chooses which, and when to stop"""
    for _ in range(min(limit, len(play.attack.defense_pool))):
        colours = [ref("die", colour) for colour in play.attack.defense_pool]
        chosen = ask(play.table, "pool.remove", play.player, play.figure.id, colours, useful=colours[:1])
        if chosen is None:
            return
        _remove(play, name_in(chosen.reaction))


@effect(
    "defensePoolRemoveAll",
    Flag,
    needs=_ATTACKER,
    timing=Timing.DECLARING,
    before_roll=True,
    changes=usefulness.fewer_defense_dice,
)
def remove_all_defense_dice(play: Play, _: bool) -> None:
    """removes all dice from the defender's pool"""
    for colour in list(play.attack.defense_pool):
        _remove(play, colour)


def _remove(play: Play, colour: str) -> None:
    play.attack.add_dice("cards", DEFENSE_POOL, colour, -1, play.source, play.figure.id, play.reason)


@refinement("defensePoolRemoveOnlyWhenNotAttackerActivation", Flag, of=("defensePoolRemoveAll", "defensePoolRemoveMax"))
def remove_only_out_of_activation(play: Situation, value: int, only: bool) -> int | None:
    """only if it is not the attacker's activation"""
    return None if only and play.attack.in_own_activation else value
