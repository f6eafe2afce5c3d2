"""What an attacker adds to an attack (hits, surges, accuracy, dice, surge abilities), and rules for a single attack."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StrictStr

from combatlog.rules.skirmish import targeting
from combatlog.rules.skirmish.attack_state import ATTACK_POOL, DEFENSE_POOL, AttackFlag
from combatlog.rules.skirmish.conditions.attack_and_defense_bonuses import add_attack_bonus
from combatlog.rules.skirmish.effects.lasting_bonuses import ConditionWord
from combatlog.rules.skirmish.library import parts_of
from combatlog.rules.skirmish.pieces import Amount, Flag, effect, refinement, requirement, setting
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import ask, figures_in_play, is_in_play, is_ranged
from combatlog.rules.skirmish.targeting import is_adjacent, targets_of
from combatlog.rules.skirmish.vitality import condition_called, is_defeated, suffer_strain, suffered
from combatlog.rules.skirmish.vocabulary import AttackColour, DefenseColour, Need, Symbol, Timing, name_in, ref, slug

_ATTACKER = Need.ATTACKER


def add(play: Play, symbol: Symbol, amount: int) -> None:
    play.attack.modify(play.attack.card_stage, play.source, play.figure.id, play.reason, symbol, amount)


@effect(
    "attackSurgeBonus",
    Amount,
    needs=_ATTACKER,
    timing=Timing.ATTACKING,
    in_surge_step=True,
    changes=targeting.surges_are_useful,
)
def more_surges(play: Play, amount: int) -> None:
    """adds surges to the attack"""
    add(play, Symbol.SURGE, amount)


@effect("attackBonusHits", Amount, needs=_ATTACKER, timing=Timing.ATTACKING, changes=targeting.damage_is_useful)
def more_hits(play: Play, amount: int) -> None:
    """adds hits to the attack"""
    add(play, Symbol.DAMAGE, amount)


@refinement("attackBonusHitsIfTargetRanged", Amount, of=("attackBonusHits",))
def hits_against_ranged(play: Situation, amount: int, instead: int) -> int:
    """a different number if the target's attacks are ranged"""
    return instead if is_ranged(play.attack.defender) else amount


@effect("attackAccuracyBonus", Amount, needs=_ATTACKER, timing=Timing.ATTACKING, changes=targeting.accuracy_is_useful)
def more_accuracy(play: Play, amount: int) -> None:
    """adds accuracy to the attack"""
    add(play, Symbol.ACCURACY, amount)


@effect("attackBonusPierce", Amount, needs=_ATTACKER, timing=Timing.ATTACKING, changes=targeting.pierce_is_useful)
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
    changes=targeting.damage_is_useful,
)
def apply_conditions(play: Play, words: list[str]) -> None:
    """if the target suffers damage, it gets these conditions; the attacker gets Focus and Hide"""
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
    """adds dice to the attack pool, in the pool's first colour unless a colour is given"""
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
    changes=targeting.never_useful,
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
    changes=targeting.removing_dice_is_useful,
)
def remove_defense_dice(play: Play, limit: int) -> None:
    """removes up to this many dice from the defender's pool; the attacker chooses which and how many"""
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
    changes=targeting.removing_dice_is_useful,
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


def _is_surge_key(key: str) -> str:
    """Accept a surge key, with text for people to carry out, but not numbers below 1."""
    parts = parts_of(key)
    if not slug(key) or any(part.adds_nothing for part in parts):
        raise ValueError(f"{key!r} is not a surge ability; it needs letters or digits, and numbers of 1 or more")
    return key


SurgeKeys = Annotated[list[Annotated[StrictStr, AfterValidator(_is_surge_key)]], Field(min_length=1)]


@effect(
    "attackBonusSurgeAbilities",
    SurgeKeys,
    needs=Need.ATTACKER,
    timing=Timing.ATTACKING,
    changes=lambda play, keys: not set(keys) <= set(play.attack.surges),
)
def gain_surge_abilities(play: Play, keys: list[str]) -> None:
    """the attack gains surge abilities"""
    play.attack.surges += [key for key in keys if key not in play.attack.surges]


@effect(
    "nextAttackBonusSurgeAbilities",
    SurgeKeys,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    with_attack=True,
)
def gain_surge_abilities_next(play: Play, keys: list[str]) -> None:
    """the next attack in this activation gains surge abilities"""
    add_attack_bonus(play.table, play.player, play.source, 1, surges=keys)


def _mark(play: Play, mark: AttackFlag, amount: int | None = None) -> None:
    play.attack.mark(mark, play.source, play.figure.id, play.reason, amount)


def _is_open(play: Situation, _: object) -> bool:
    return not play.attack.is_dodged


@effect(
    "maxDamageFromAttack",
    Amount,
    needs=Need.DEFENDER,
    timing=Timing.DEFENDING,
    counts_zero=True,
    changes=lambda play, most: not play.attack.is_rolled or play.attack.rolled(Symbol.DAMAGE) > most,
)
def limit_damage(play: Play, most: int) -> None:
    """the target suffers at most this much damage from the attack"""
    _mark(play, AttackFlag.MOST_DAMAGE, most)


def _may_pierce(play: Situation, _: object) -> bool:
    attack = play.attack
    return attack.total(Symbol.PIERCE) > 0 or any("pierce" in key.lower() for key in attack.surges)


@effect("defenderIgnorePierce", Flag, needs=Need.DEFENDER, timing=Timing.DEFENDING, changes=_may_pierce)
def ignore_pierce(play: Play, _: bool) -> None:
    """Pierce has no effect in the attack"""
    _mark(play, AttackFlag.NO_PIERCE)


@effect("ignoreDefenseResultsNotOnDice", Flag, needs=Need.ATTACKER, timing=Timing.ATTACKING, changes=_is_open)
def only_dice_defend(play: Play, _: bool) -> None:
    """only the block and evade on the defense dice count"""
    _mark(play, AttackFlag.ONLY_DICE_DEFEND)


@effect("bonusDamagePerDefenseDie", Amount, needs=Need.ATTACKER, timing=Timing.ATTACKING, changes=_is_open)
def hits_per_die(play: Play, amount: int) -> None:
    """adds hits for each die in the defense pool"""
    _per_die(play, Symbol.DAMAGE, amount)


@effect("bonusSurgePerDefenseDie", Amount, needs=Need.ATTACKER, timing=Timing.ATTACKING, changes=_is_open)
def surges_per_die(play: Play, amount: int) -> None:
    """adds surges for each die in the defense pool"""
    _per_die(play, Symbol.SURGE, amount)


def _per_die(play: Play, symbol: Symbol, amount: int) -> None:
    dice = len(play.attack.defense_pool)
    if dice:
        add(play, symbol, amount * dice)


@effect(
    "defenderStrain",
    Amount,
    needs=Need.RESOLVED_ATTACK,
    timing=Timing.AFTER_ATTACK,
    changes=lambda play, _: play.attack.hit and is_in_play(play.attack.defender),
)
def strain_defender(play: Play, amount: int) -> None:
    """after an attack that did not miss, the target suffers strain"""
    if play.attack.hit:
        suffer_strain(play.table, play.attack.defender, amount, play.source)


@effect(
    "dodgeReduction",
    Amount,
    needs=Need.ATTACKER,
    timing=Timing.ATTACKING,
    changes=lambda play, _: play.attack.is_dodged,
)
def ignore_dodges(play: Play, dodges: int) -> None:
    """removes dodges from the defense results"""
    _mark(play, AttackFlag.FEWER_DODGES, dodges)


@effect(
    "evadeReduction",
    Amount,
    needs=Need.ATTACKER,
    timing=Timing.ATTACKING,
    changes=lambda play, _: play.attack.rolled(Symbol.EVADE) > 0 and not play.attack.is_dodged,
)
def ignore_evades(play: Play, evades: int) -> None:
    """removes evades from the defense results"""
    add(play, Symbol.EVADE, -evades)


@requirement("onlyCardInAttack", Flag)
def is_only_card(play: Situation, wanted: bool) -> bool:
    """only if it is the player's only Command card in the attack"""
    return not wanted or play.attack_if_any is None or play.player.id not in play.attack.card_players(play.ability)
