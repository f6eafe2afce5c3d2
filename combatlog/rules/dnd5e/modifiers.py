"""Shorthand for the modifiers that pieces contribute to chains."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from combatlog.rules.dnd5e.contexts import Attack, Check, D20Test, Save
from combatlog.rules.dnd5e.pieces import Dnd5eCondition
from combatlog.rules.engine.resolution.chain import Consumption, Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Change, ChangeOp, RollModifier
from projections.battle.combatant import Combatant

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


def as_roll_modifiers(chain: ModifierChain) -> list[RollModifier]:
    return [_roll_modifier(modifier.source, modifier.change.amount or 0) for modifier in chain.of(ChangeOp.BONUS)]


@lru_cache(maxsize=4096)
def _roll_modifier(source: str, amount: int) -> RollModifier:
    return RollModifier(source=source, amount=amount)


def record_if_modified(table: Table, chain: ModifierChain) -> None:
    """Record a chain, unless it has only its base value and is not amended."""
    if len(chain) > 1 or (table.adjustments and table.adjusts(chain.name)):
        chain.record(table)


def value_of(chain: ModifierChain) -> int:
    """The value of a chain: the sum of its bonuses, then multiplied and divided in order."""
    value = chain.bonus()
    for modifier in chain:
        amount = modifier.change.amount
        if modifier.change.op is ChangeOp.MULTIPLY and amount is not None:
            value *= amount
        elif modifier.change.op is ChangeOp.DIVIDE and amount:
            value //= amount
    return value


CHAINS: dict[type[D20Test], str] = {Attack: "attack", Save: "save", Check: "check"}


def adjust(table: Table, throw: D20Test, source: str, owner: Combatant, reason: str, amount: int) -> None:
    """Record a late contribution to a roll's chain, and add it to the total."""
    modifier = bonus("features", source, owner.id, reason, amount)
    ModifierChain(CHAINS[type(throw)], STAGES, [modifier]).record(table)
    throw.adjustments.append(modifier)


def disadvantage_on_own_attacks(
    condition: Dnd5eCondition, attack: Attack, owner: Combatant, reason: str
) -> Iterator[Modifier]:
    if attack.attacker is owner:
        yield disadvantage(owner.id, condition.ref, reason, stage="conditions")


def advantage_on_attacks_against(
    condition: Dnd5eCondition, attack: Attack, owner: Combatant, reason: str
) -> Iterator[Modifier]:
    if attack.target is owner:
        yield advantage(owner.id, condition.ref, reason, stage="conditions")
