"""Rules that hold during one attack, and what follows once it is resolved."""

from __future__ import annotations

from combatlog.rules.skirmish.attack_state import Mark
from combatlog.rules.skirmish.effects.attacking import add
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect, requirement
from combatlog.rules.skirmish.sheet import is_in_play
from combatlog.rules.skirmish.vitality import suffer_strain
from combatlog.rules.skirmish.vocabulary import Need, Symbol, Timing


def _mark(play: Play, mark: Mark, amount: int | None = None) -> None:
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
    """the target suffers no more than this much damage from the attack"""
    _mark(play, Mark.MOST_DAMAGE, most)


def _may_pierce(play: Situation, _: object) -> bool:
    attack = play.attack
    return attack.total(Symbol.PIERCE) > 0 or any("pierce" in key.lower() for key in attack.surges)


@effect("defenderIgnorePierce", Flag, needs=Need.DEFENDER, timing=Timing.DEFENDING, changes=_may_pierce)
def ignore_pierce(play: Play, _: bool) -> None:
    """Pierce has no effect in the attack"""
    _mark(play, Mark.NO_PIERCE)


@effect("ignoreDefenseResultsNotOnDice", Flag, needs=Need.ATTACKER, timing=Timing.ATTACKING, changes=_is_open)
def only_dice_defend(play: Play, _: bool) -> None:
    """only the block and evade on the defense dice count"""
    _mark(play, Mark.ONLY_DICE_DEFEND)


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
    _mark(play, Mark.FEWER_DODGES, dodges)


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
    """only as the player's first Command card in the attack, and it can play no other in it"""
    return not wanted or play.attack_if_any is None or play.player.id not in play.attack.card_players(play.ability)
