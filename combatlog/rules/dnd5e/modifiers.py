"""Functions that make chain modifiers, so that a piece can say in one line what it contributes.

Modifiers and changes are frozen and few, so those that every attack needs are made only once.
"""

from __future__ import annotations

from functools import lru_cache

from combatlog.rules.engine.chain import Chain, Consumption, Modifier
from combatlog.rules.engine.table import Table
from ledger.events import Change, ChangeOp, RollModifier

STAGES = ("base", "features", "conditions", "equipment", "situational")


@lru_cache(maxsize=4096)
def _change(op: ChangeOp, amount: int | None = None, label: str | None = None, dice: str | None = None) -> Change:
    return Change(op=op, amount=amount, label=label, dice=dice)


@lru_cache(maxsize=4096)
def bonus(stage: str, source: str, owner: str, reason: str, amount: int, label: str | None = None) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.BONUS, amount, label))


@lru_cache(maxsize=4096)
def dice(
    stage: str,
    source: str,
    owner: str,
    reason: str,
    notation: str,
    label: str | None = None,
    consumes: Consumption | None = None,
) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.DICE, None, label, notation), consumes)


def minus_dice(stage: str, source: str, owner: str, reason: str, notation: str) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.DICE, -1, None, notation))


def disadvantage(
    owner: str, source: str, reason: str, stage: str = "situational", consumes: Consumption | None = None
) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.DISADVANTAGE), consumes)


def advantage(owner: str, source: str, reason: str, stage: str = "situational") -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.ADVANTAGE))


def flag(stage: str, source: str, owner: str, reason: str, label: str) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.FLAG, None, label))


def critical_from(stage: str, source: str, owner: str, reason: str, threshold: int) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.CRITICAL_FROM, threshold))


def multiplied(stage: str, source: str, owner: str, reason: str, factor: int, label: str | None = None) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.MULTIPLY, factor, label))


def halved(
    stage: str,
    source: str,
    owner: str,
    reason: str,
    label: str | None = None,
    consumes: Consumption | None = None,
) -> Modifier:
    return Modifier(stage, source, owner, reason, _change(ChangeOp.DIVIDE, 2, label), consumes)


def as_roll_modifiers(chain: Chain) -> list[RollModifier]:
    return [_roll_modifier(modifier.source, modifier.change.amount or 0) for modifier in chain.of(ChangeOp.BONUS)]


@lru_cache(maxsize=4096)
def _roll_modifier(source: str, amount: int) -> RollModifier:
    return RollModifier(source=source, amount=amount)


def record_if_modified(table: Table, chain: Chain) -> None:
    """Record a chain unless it has only its base and no amendment changes it."""
    if len(chain) > 1 or (table.adjustments and table.adjusts(chain.name)):
        chain.record(table)


def value_of(chain: Chain) -> int:
    """The value of a chain: the sum of its bonuses, then multiplied and divided in order."""
    value = chain.bonus()
    for modifier in chain:
        amount = modifier.change.amount
        if modifier.change.op is ChangeOp.MULTIPLY and amount is not None:
            value *= amount
        elif modifier.change.op is ChangeOp.DIVIDE and amount:
            value //= amount
    return value
