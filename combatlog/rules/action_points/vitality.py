"""FAT (fatigue) and VIT (vitality): losing them, the pending pools, passing out, waking and death."""

from __future__ import annotations

from combatlog.rules.action_points.formulas import applied_of
from combatlog.rules.action_points.stances import end_parrying, lose_aim
from combatlog.rules.action_points.tables import EXHAUSTION_VIT_DAMAGE, WOUND_ROUNDS, Harm
from combatlog.rules.engine.table import Table
from ledger.events import DamagePart
from projections.combatant import Combatant

FAT = "fat"
VIT = "vit"
PENDING_DAMAGE = {FAT: "pending_fat_damage", VIT: "pending_vit_damage"}
PENDING_HEALING = {FAT: "pending_fat_healing", VIT: "pending_vit_healing"}
PENDING_POOLS = (*PENDING_DAMAGE.values(), *PENDING_HEALING.values())

DEAD = "action_points:condition:dead"
UNCONSCIOUS = "action_points:condition:unconscious"
WOUNDED = "action_points:condition:wounded"
EXHAUSTION = "action_points:situation:exhaustion"
OVERFLOW = "action_points:situation:fat_overflow"
PASSED_OUT = "it has passed out"
NO_VITALITY = "action_points:situation:no_vitality"
PENDING = "action_points:rule:pending"
"""The rule that half of what is pending takes effect at the end of each round."""


def fat_of(combatant: Combatant) -> int:
    return combatant.vitals[FAT].current


def vit_of(combatant: Combatant) -> int:
    return combatant.vitals[VIT].current


def is_dead(combatant: Combatant) -> bool:
    """By its condition, or because a ruling took its last VIT."""
    return combatant.has(DEAD) or vit_of(combatant) == 0


def living(table: Table) -> list[Combatant]:
    return [combatant for combatant in table.battle.present() if not is_dead(combatant)]


# What takes effect at once


def lose_fat(table: Table, victim: Combatant, points: int, source: str) -> None:
    """Take away FAT. What exceeds it is taken from VIT, and reaching 0 costs VIT as well."""
    was_exhausted = fat_of(victim) == 0
    damaged = table.damage(victim, FAT, points, [DamagePart(source=source, amount=points)], None)
    with table.because_of(damaged):
        if damaged.overkill:
            lose_vit(table, victim, damaged.overkill, OVERFLOW)
        if damaged.left == 0 and not was_exhausted:
            exhaust(table, victim)


def exhaust(table: Table, victim: Combatant) -> None:
    """Reaching FAT 0, whether by damage or by spending: it hurts, and the victim passes out."""
    lose_vit(table, victim, EXHAUSTION_VIT_DAMAGE, EXHAUSTION)
    if not is_dead(victim) and not victim.has(UNCONSCIOUS):
        table.apply_condition(victim, UNCONSCIOUS, source=EXHAUSTION, owner=victim.id)
        end_parrying(table, victim, PASSED_OUT)
        lose_aim(table, victim, PASSED_OUT)


def wake(table: Table, combatant: Combatant) -> None:
    """Whoever has passed out comes to at the end of a round, if it has FAT again."""
    if combatant.has(UNCONSCIOUS) and fat_of(combatant):
        table.remove_condition(combatant, UNCONSCIOUS, "it has FAT again")


def lose_vit(table: Table, victim: Combatant, points: int, source: str) -> None:
    if is_dead(victim):
        return
    damaged = table.damage(victim, VIT, points, [DamagePart(source=source, amount=points)], None)
    if damaged.left == 0:
        with table.because_of(damaged):
            table.apply_condition(victim, DEAD, source=NO_VITALITY, owner=victim.id)
            if victim.has(UNCONSCIOUS):
                table.remove_condition(victim, UNCONSCIOUS, "it is dead")


# What waits for the end of the round


def suffer(table: Table, victim: Combatant, harm: Harm, source: str, by: str) -> None:
    """Queue the damage to the pools. Wounds take effect at once, and whoever is hurt loses its aim."""
    for pool, points in ((FAT, harm.fat), (VIT, harm.vit)):
        if points:
            table.gain(victim, PENDING_DAMAGE[pool], points, f"damage from {by}", source)
    if harm.wounds:
        table.apply_condition(victim, WOUNDED, source=source, owner=by, level=wounds_of(victim) + harm.wounds)
    lose_aim(table, victim, f"it was hurt by {by}")


def wounds_of(combatant: Combatant) -> int:
    held = combatant.conditions.get(WOUNDED)
    return (held.level or 1) if held else 0


def queue_healing(table: Table, patient: Combatant, pool: str, points: int, why: str, source: str) -> None:
    table.gain(patient, PENDING_HEALING[pool], points, why, source)


def apply_pending(table: Table, combatant: Combatant) -> None:
    """Apply half of each pending pool: damage before healing, so that the dead are not healed."""
    for pool, lose in ((FAT, lose_fat), (VIT, lose_vit)):
        if points := _take_half(table, combatant, PENDING_DAMAGE[pool]):
            lose(table, combatant, points, f"action_points:pool:{PENDING_DAMAGE[pool]}")
    for pool in (FAT, VIT):
        if points := _take_half(table, combatant, PENDING_HEALING[pool]):
            _heal(table, combatant, pool, points)


def _take_half(table: Table, combatant: Combatant, pending: str) -> int:
    """Take half out of a pending pool. A combatant that an earlier pool killed is left alone."""
    waiting = combatant.economy.left(pending)
    points = 0 if is_dead(combatant) else applied_of(waiting)
    if points:
        table.reset(combatant, pending, waiting - points, "half takes effect at the end of the round", PENDING)
    return points


def _heal(table: Table, patient: Combatant, pool: str, points: int) -> None:
    """Heal up to the maximum; the rest is lost."""
    vital = patient.vitals[pool]
    room = points if vital.maximum is None else max(0, vital.maximum - vital.current)
    if room:
        table.heal(patient, pool, min(points, room), "pending healing")


# Between fights


def recuperate(table: Table, combatant: Combatant) -> None:
    """Minutes pass: what is pending takes effect, and FAT comes back by 1 a round, unless wounds cost as much."""
    while not is_dead(combatant) and any(combatant.economy.left(pending) for pending in PENDING_POOLS):
        apply_pending(table, combatant)
    vital = combatant.vitals[FAT]
    missing = (vital.maximum or vital.current) - vital.current
    if is_dead(combatant) or not missing or wounds_of(combatant) >= WOUND_ROUNDS:
        return
    table.heal(combatant, FAT, missing, "rest")
    wake(table, combatant)
