"""Surge abilities that an attack gains."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StrictStr

from combatlog.rules.skirmish.conditions.next_attacks import add_attack_bonus
from combatlog.rules.skirmish.play import Play
from combatlog.rules.skirmish.registry import effect
from combatlog.rules.skirmish.surges import parts_of
from combatlog.rules.skirmish.vocabulary import Need, Timing, slug


def _is_surge_key(key: str) -> str:
    """Text that people carry out is fine; numbers below 1 are not."""
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
