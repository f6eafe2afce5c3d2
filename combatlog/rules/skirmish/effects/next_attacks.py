"""Bonuses for the next attacks in an activation."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, StrictStr
from typing_extensions import TypedDict

from combatlog.rules.engine.refusal import choices
from combatlog.rules.skirmish.conditions.next_attacks import add_attack_bonus
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect, refinement, setting
from combatlog.rules.skirmish.sheet import is_ranged
from combatlog.rules.skirmish.vitality import condition_called
from combatlog.rules.skirmish.vocabulary import ATTACKS, CONDITION_WORDS, Need, Timing


def _is_condition(word: str) -> str:
    if condition_called(word) not in CONDITION_WORDS.values():
        raise ValueError(f"there is no condition {word!r}; use {choices(CONDITION_WORDS)}")
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
    """only in attacks against figures that take up a single space"""
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
