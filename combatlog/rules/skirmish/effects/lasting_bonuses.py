"""Bonuses that a card gives for the next attacks, until the activation ends or until the round ends."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, StrictStr
from typing_extensions import TypedDict

from combatlog.rules.engine.refusal import choices
from combatlog.rules.skirmish.cards import own_figures
from combatlog.rules.skirmish.conditions.activations import OVERRUNNING, SPECIALS_TWICE, STUN_AFTER_ACTION
from combatlog.rules.skirmish.conditions.attack_and_defense_bonuses import (
    BLOCK_PER_EVADE,
    ON_THE_HUNT,
    OUT_OF_SIGHT,
    add_attack_bonus,
    add_attack_surges,
    add_attack_symbols,
)
from combatlog.rules.skirmish.conditions.players_and_terminals import OVERDRIVE, STEELED, WINDFALL
from combatlog.rules.skirmish.pieces import UNTIL_ROUND_ENDS, Amount, Flag, add_entry, effect, refinement, setting
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import figure_sheet, is_ranged
from combatlog.rules.skirmish.targeting import never_useful
from combatlog.rules.skirmish.vitality import condition_called, give_condition, suffer, suffer_strain
from combatlog.rules.skirmish.vocabulary import (
    ACTIONS,
    ATTACKS,
    CONDITION_WORDS,
    HARMFUL,
    QUICKENED,
    REACHING,
    UNDENIABLE,
    VANISHED,
    Need,
    Symbol,
    Timing,
    slug,
)
from ledger.events import DamagePart
from projections.battle.combatant import Combatant


def _is_condition(word: str) -> str:
    if condition_called(word) not in CONDITION_WORDS.values():
        raise ValueError(f"{word!r} is not a condition; use {choices(CONDITION_WORDS)}")
    return word


ConditionWord = Annotated[StrictStr, AfterValidator(_is_condition)]


class BonusHits(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    count: Amount
    bonus: Amount


class BonusConditions(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    count: Amount
    conditions: Annotated[list[ConditionWord], Field(min_length=1)]


@effect(
    "nextAttacksBonusHits",
    BonusHits,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    with_attack=True,
)
def hits_for_next_attacks(play: Play, value: dict[str, Any]) -> None:
    """the next attacks in this activation gain hits"""
    gains = {"hits": value["bonus"], **_only(play)}
    add_attack_bonus(play.table, play.player, play.source, value["count"], **gains)


@effect(
    "nextAttacksBonusConditions",
    BonusConditions,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    with_attack=True,
)
def conditions_for_next_attacks(play: Play, value: dict[str, Any]) -> None:
    """the next attacks in this activation apply conditions to their targets"""
    conditions = [condition_called(word) for word in value["conditions"]]
    gains = {"conditions": conditions, **_only(play)}
    add_attack_bonus(play.table, play.player, play.source, value["count"], **gains)


def _only(play: Play) -> dict[str, Any]:
    return {"only_small": True} if play.ability.properties.get("nextAttacksOnlyAgainstSmall") else {}


@refinement("nextAttacksOnlyAgainstSmall", Flag, of=("nextAttacksBonusHits", "nextAttacksBonusConditions"))
def only_against_small(play: Situation, value: dict[str, Any], only: bool) -> dict[str, Any]:
    """only in attacks against figures that cover a single space"""
    return value


@effect(
    "attackResultReplaceWithStun",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    with_attack=True,
)
def stun_instead(play: Play, _: bool) -> None:
    """the figure attacks; if the target would suffer damage, it becomes Stunned instead"""
    add_attack_bonus(play.table, play.player, play.source, 1, stun_instead=True)


@effect(
    "attackPoolAddYellowUntilTotal",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    with_attack=True,
)
def fill_pool(play: Play, total: int) -> None:
    """the figure attacks with yellow dice added until its pool has this many dice"""
    strain = bool(play.ability.properties.get("superchargeStrainAfterAttack"))
    add_attack_bonus(play.table, play.player, play.source, 1, yellow_until=total, strain_per_die=strain)


setting(
    "superchargeStrainAfterAttack",
    Flag,
    of="attackPoolAddYellowUntilTotal",
    does="the figure suffers 1 strain for each added die after the attack",
)


@effect(
    "pummelTwoAttacksThisActivation",
    Flag,
    needs=Need.MOVER,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: not is_ranged(play.figure),
)
def attack_twice(play: Play, _: bool) -> None:
    """the figure can attack once more in this activation if its attacks are melee attacks"""
    if not is_ranged(play.figure):
        play.table.gain(play.figure, ATTACKS, 1, play.reason, play.source)


_WHILE_ACTIVE = Timing.DURING_ACTIVATION


def _hold(play: Play, condition: str) -> None:
    play.table.apply_condition(play.figure, condition, source=play.source, owner=play.player.id)


@effect("activationDoubleSpecialAction", Flag, needs=Need.MOVER, timing=Timing.START_OF_ACTIVATION)
def specials_twice(play: Play, _: bool) -> None:
    """the figure can use each special action twice in this activation"""
    _hold(play, SPECIALS_TWICE)


@effect("extraAction", Amount, needs=Need.MOVER, timing=_WHILE_ACTIVE)
def act_again(play: Play, amount: int) -> None:
    """the figure gains actions"""
    play.table.gain(play.figure, ACTIONS, amount, play.reason, play.source)


@effect("activationExtraActionThenStun", Flag, needs=Need.MOVER, timing=_WHILE_ACTIVE)
def act_then_stun(play: Play, _: bool) -> None:
    """the figure gains an action, and becomes Stunned after its next one"""
    act_again(play, 1)
    _hold(play, STUN_AFTER_ACTION)


@effect("activationReach", Flag, needs=Need.MOVER, timing=_WHILE_ACTIVE)
def reach(play: Play, _: bool) -> None:
    """the figure's melee attacks have Reach in this activation"""
    _hold(play, REACHING)


@effect("vanishImmunityUntilNextActivation", Flag, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION)
def vanish(play: Play, _: bool) -> None:
    """the figure suffers no damage and gets no condition until its next activation"""
    _hold(play, VANISHED)


OVERRUN_DAMAGE = 2


@effect("overrunThisActivation", Flag, needs=Need.MOVER, timing=Timing.START_OF_ACTIVATION)
def overrun(play: Play, _: bool) -> None:
    """hostile figures whose spaces the figure enters in this activation suffer 2 damage"""
    play.table.apply_condition(
        play.figure, OVERRUNNING, source=play.source, owner=play.player.id, data={"damage": OVERRUN_DAMAGE}
    )


@effect("setsYouWillNotDenyMe", Flag, needs=Need.FIGURE, timing=_WHILE_ACTIVE)
def be_undeniable(play: Play, _: bool) -> None:
    """the figure keeps at least 1 health and gets no harmful condition until the next hostile figure is defeated; then
    it recovers 2 damage"""
    _hold(play, UNDENIABLE)


def _is_good(play: Situation, word: str) -> bool:
    condition = condition_called(word)
    return condition not in HARMFUL and not play.figure.has(condition)


@effect("applySelfCondition", ConditionWord, needs=Need.FIGURE, timing=_WHILE_ACTIVE, last=True, changes=_is_good)
def get_condition(play: Play, word: str) -> None:
    """the figure gets a condition"""
    give_condition(play.table, play.figure, condition_called(word), play.source, play.player.id)


class Reward(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    vp: NotRequired[Amount]
    recover: NotRequired[Amount]
    within: NotRequired[Amount]


@effect("onNextDefeat", Reward, needs=Need.MOVER, timing=_WHILE_ACTIVE)
def hunt(play: Play, reward: dict[str, Any]) -> None:
    """when the next hostile figure is defeated in this activation, within some spaces if that is given, the player
    gains victory points or the figure recovers damage"""
    add_entry(play.table, play.figure, ON_THE_HUNT, {"source": play.source, **reward})


@effect("selfStrain", Amount, needs=Need.FIGURE, timing=_WHILE_ACTIVE, changes=never_useful)
def suffer_own_strain(play: Play, amount: int) -> None:
    """the figure suffers strain"""
    suffer_strain(play.table, play.figure, amount, play.source)


@effect("selfDamage", Amount, needs=Need.FIGURE, timing=_WHILE_ACTIVE, changes=never_useful)
def suffer_own_damage(play: Play, amount: int) -> None:
    """the figure suffers damage"""
    suffer(play.table, play.figure, [DamagePart(source=play.source, amount=amount)], play.figure.id)


_START = Timing.START_OF_ROUND
_DURING = Timing.DURING_ACTIVATION
NEARBY = 3
"""The distance within which a figure in the shadows can be seen."""


@effect("roundAttackSurgeBonus", Amount, needs=Need.FIGURE, timing=_DURING)
def more_surges_all_round(play: Play, amount: int) -> None:
    """the figure's attacks gain surges until the round ends"""
    add_attack_symbols(play.table, play.figure, play.source, Symbol.SURGE, amount)


@effect("roundAttackBonusHits", Amount, needs=Need.FIGURE, timing=_DURING)
def more_hits_all_round(play: Play, amount: int) -> None:
    """the figure's attacks gain hits until the round ends"""
    add_attack_symbols(play.table, play.figure, play.source, Symbol.DAMAGE, amount)


@effect("roundDefenderBonusBlockPerEvade", Amount, needs=Need.FIGURE, timing=_DURING)
def block_per_evade(play: Play, amount: int) -> None:
    """when it defends, the figure gains Block for each evade that its dice show, until the round ends"""
    entry = {"source": play.source, "block": amount}
    add_entry(play.table, play.figure, BLOCK_PER_EVADE, entry, UNTIL_ROUND_ENDS)


def _hide(play: Play, spaces: int) -> None:
    play.table.apply_condition(
        play.figure,
        OUT_OF_SIGHT,
        source=play.source,
        owner=play.player.id,
        until=UNTIL_ROUND_ENDS,
        data={"spaces": spaces},
    )


@effect("roundDefenderCannotBeTargetedUnlessWithinSpaces", Amount, needs=Need.FIGURE, timing=_START, counts_zero=True)
def be_out_of_reach(play: Play, spaces: int) -> None:
    """the figure can only be attacked from within this many spaces until the round ends"""
    _hide(play, spaces)


@effect("roundInTheShadowsPlayerNum", Flag, needs=Need.FIGURE, timing=_START)
def be_in_the_shadows(play: Play, _: bool) -> None:
    """figures 4 or more spaces away have no line of sight to the figure until the round ends"""
    _hide(play, NEARBY)


def _lasts(play: Play, condition: str, **data: Any) -> None:
    play.table.apply_condition(
        play.player, condition, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS, data=data
    )


@effect("setsMandaAsteel", Flag, needs=Need.PLAYER, timing=_START)
def recover_with_block_tokens(play: Play, _: bool) -> None:
    """the player's figures that spend a block token recover 1 damage after the attack, until the round ends"""
    _lasts(play, STEELED)


@effect("setsWindfall", Flag, needs=Need.PLAYER, timing=_START)
def gain_from_discarding(play: Play, _: bool) -> None:
    """the player gains the cost of each of its cards that is discarded from its hand or deck, until the round ends"""
    _lasts(play, WINDFALL)


@effect("roundDroidExtraActionCostDamage", Amount, needs=Need.PLAYER, timing=_START)
def overdrive(play: Play, damage: int) -> None:
    """until the round ends, the player's DROIDS may suffer this much damage for an additional action when they are
    activated"""
    _lasts(play, OVERDRIVE, damage=damage)


JAWAS = "jawa_scavenger"


def _jawas(play: Situation) -> list[Combatant]:
    """The player's Jawa Scavengers."""
    return [one for one in own_figures(play.battle, play.player) if slug(figure_sheet(one).name).startswith(JAWAS)]


@effect("roundUtinniJawaBuffs", Flag, needs=Need.PLAYER, timing=_START, possible=lambda play, _: bool(_jawas(play)))
def rush_jawas(play: Play, _: bool) -> None:
    """until the round ends, the player's Jawa Scavengers have 1 more speed, +1 Accuracy, and Surge: 1 victory point"""
    for jawa in _jawas(play):
        play.table.apply_condition(
            jawa, QUICKENED, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS, data={"speed": 1}
        )
        add_attack_symbols(play.table, jawa, play.source, Symbol.ACCURACY, 1)
        add_attack_surges(play.table, jawa, play.source, ["vp 1"])
