"""Bonuses for the next attacks in an activation."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, StrictStr
from typing_extensions import TypedDict

from rules.engine.refusal import choices
from rules.skirmish.conditions import next_attacks
from rules.skirmish.play import Play
from rules.skirmish.registry import Amount, effect
from rules.skirmish.vitality import condition_called
from rules.skirmish.vocabulary import CONDITION_WORDS, Need, Timing


def _is_condition(word: str) -> str:
    if condition_called(word) not in CONDITION_WORDS.values():
        raise ValueError(f"there is no condition {word!r}; use {choices(CONDITION_WORDS)}")
    return word


class BonusHits(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    count: Amount
    bonus: Amount


class BonusConditions(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    count: Amount
    conditions: Annotated[list[Annotated[StrictStr, AfterValidator(_is_condition)]], Field(min_length=1)]


@effect(
    "nextAttacksBonusHits",
    BonusHits,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    with_attack=True,
)
def hits_for_next_attacks(play: Play, value: dict[str, Any]) -> None:
    """the next attacks in this activation gain hits"""
    next_attacks.add_bonus(play.table, play.player, play.source, value["count"], hits=value["bonus"])


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
    next_attacks.add_bonus(play.table, play.player, play.source, value["count"], conditions=conditions)
