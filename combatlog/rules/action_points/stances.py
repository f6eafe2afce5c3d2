"""What a combatant keeps up until something interrupts it: parry mode, and aim."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

PARRYING = "action_points:condition:parrying"
AIMING = "action_points:condition:aiming"
AIMED = "action_points:condition:aimed"


def end_parrying(table: Table, actor: Combatant, why: str) -> None:
    _end(table, actor, (PARRYING,), why)


def lose_aim(table: Table, actor: Combatant, why: str) -> None:
    _end(table, actor, (AIMING, AIMED), why)


def _end(table: Table, actor: Combatant, stances: tuple[str, ...], why: str) -> None:
    for stance in stances:
        if actor.has(stance):
            table.remove_condition(actor, stance, why)
