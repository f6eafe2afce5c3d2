"""Action points (AP), FAT (fatigue) and VIT (vitality): what actions cost, losing and recovering points, and death.

An action costs 1 AP and 1 FAT, or 2 AP, plus any boost. Damage and healing wait in pending pools.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from pydantic import Field

from combatlog.rules.action_points.tables_and_formulas import (
    EXHAUSTION_VIT_DAMAGE,
    FREE_METRES,
    WOUND_ROUNDS,
    PoolDamage,
    ap_recovery,
    applied_of,
)
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import DamagePart, Gauge, Ref
from projections.battle.combatant import Combatant

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
"""The rule that half of each pending pool takes effect at the end of each round."""


def fat_of(combatant: Combatant) -> int:
    return combatant.vitals[FAT].current


def vit_of(combatant: Combatant) -> int:
    return combatant.vitals[VIT].current


def is_dead(combatant: Combatant) -> bool:
    """Whether a combatant is dead: by its condition, or because a ruling took its last VIT."""
    return combatant.has(DEAD) or vit_of(combatant) == 0


def living(table: Table) -> list[Combatant]:
    return [combatant for combatant in table.battle.present() if not is_dead(combatant)]


# Immediate effects


def lose_fat(table: Table, victim: Combatant, points: int, source: str) -> None:
    """Reduce FAT. The excess is taken from VIT, and reaching 0 also costs VIT."""
    was_exhausted = fat_of(victim) == 0
    damaged = table.damage(victim, FAT, points, [DamagePart(source=source, amount=points)], None)
    with table.because_of(damaged):
        if damaged.overkill:
            lose_vit(table, victim, damaged.overkill, OVERFLOW)
        if damaged.left == 0 and not was_exhausted:
            exhaust(table, victim)


def exhaust(table: Table, victim: Combatant) -> None:
    """Apply the effects of reaching FAT 0 by damage or spending: VIT damage and unconsciousness."""
    lose_vit(table, victim, EXHAUSTION_VIT_DAMAGE, EXHAUSTION)
    if not is_dead(victim) and not victim.has(UNCONSCIOUS):
        table.apply_condition(victim, UNCONSCIOUS, source=EXHAUSTION, owner=victim.id)
        end_parrying(table, victim, PASSED_OUT)
        lose_aim(table, victim, PASSED_OUT)


def wake(table: Table, combatant: Combatant) -> None:
    """Wake an unconscious combatant at the end of a round if it has FAT again."""
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


# Effects at the end of the round


def suffer(table: Table, victim: Combatant, harm: PoolDamage, source: str, by: str) -> None:
    """Queue the damage to the pools. Wounds take effect at once, and the victim loses its aim."""
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
    """Rest for minutes: pending pools take effect, and FAT recovers by 1 per round, unless wounds cost as much."""
    while not is_dead(combatant) and any(combatant.economy.left(pending) for pending in PENDING_POOLS):
        apply_pending(table, combatant)
    vital = combatant.vitals[FAT]
    missing = (vital.maximum or vital.current) - vital.current
    if is_dead(combatant) or not missing or wounds_of(combatant) >= WOUND_ROUNDS:
        return
    table.heal(combatant, FAT, missing, "rest")
    wake(table, combatant)


AP = "ap"
ACTIONS = "actions_taken"
METRES = "free_metres"

RECOVERY = "action_points:rule:recovery"
LOCKED_RETURN = "action_points:rule:locked_return"
NEW_ROUND = "action_points:rule:new_round"
CAP = "action_points:rule:cap"
"""The rules that change AP at the end of a round. Several may apply, one after the other."""


class Payment(StrEnum):
    STANDARD = "standard"
    FATIGUE_FREE = "fatigue-free"


@dataclass(frozen=True, slots=True)
class PointCost:
    ap: int = 0
    fat: int = 0

    def __str__(self) -> str:
        return f"{self.ap} AP + {self.fat} FAT" if self.fat else f"{self.ap} AP"


COSTS = MappingProxyType({Payment.STANDARD: PointCost(ap=1, fat=1), Payment.FATIGUE_FREE: PointCost(ap=2)})
EITHER_PAYMENT = " or ".join(map(str, COSTS.values()))


class PaymentOptions(Options):
    """The options of an action that is paid for and needs no roll."""

    pay: Payment = Field(
        default=Payment.STANDARD,
        description=f"the price: {', '.join(f'{payment} is {cost}' for payment, cost in COSTS.items())}",
    )

    @property
    def cost(self) -> PointCost:
        return COSTS[self.pay]


class BoostOptions(PaymentOptions):
    """The options of an action with a roll, which can be boosted."""

    boost_ap: int = Field(default=0, ge=0, le=99, description="AP spent to improve the roll, by 1 each")
    boost_fat: int = Field(default=0, ge=0, le=99, description="FAT spent to improve the roll, by 1 each")

    @property
    def cost(self) -> PointCost:
        base = super().cost
        return PointCost(base.ap + self.boost_ap, base.fat + self.boost_fat)


def starting_resources(maximum: int) -> dict[str, Gauge]:
    """The resources at the start of a fight: maximum AP and empty pending pools."""
    return {
        AP: Gauge(current=maximum, maximum=maximum),
        ACTIONS: Gauge(current=0),
        METRES: Gauge(current=FREE_METRES, maximum=FREE_METRES),
    } | {pool: Gauge(current=0) for pool in PENDING_POOLS}


# Paying


def require_payable(payer: Combatant, cost: PointCost) -> None:
    """Refuse a payment that the payer cannot afford."""
    for name, needed, left in (("AP", cost.ap, payer.economy.left(AP)), ("FAT", cost.fat, fat_of(payer))):
        if left < needed:
            raise Refusal(
                f"economy/no-{name.lower()}-left",
                f"That takes {needed} {name}, and {payer.name} has {left or 'none'} left; pay another way, or do less.",
                who=payer.id,
                resource=name.lower(),
                needed=needed,
                available=left,
            )


def can_pay(payer: Combatant, cost: PointCost) -> bool:
    return payer.economy.left(AP) >= cost.ap and fat_of(payer) >= cost.fat


def pay(table: Table, payer: Combatant, cost: PointCost, why: str, source: Ref) -> None:
    """Spend AP and FAT. Spending the last FAT causes VIT damage before the action goes on."""
    table.spend(payer, AP, cost.ap, why, source)
    if cost.fat:
        spent = table.spend_vital(payer, FAT, cost.fat, why, source)
        if spent.after == 0:
            with table.because_of(spent):
                exhaust(table, payer)


def count_action(table: Table, actor: Combatant, why: str, source: Ref) -> None:
    table.gain(actor, ACTIONS, 1, why, source)


def has_acted_before(actor: Combatant) -> bool:
    """Whether this is a later action of the round. The current action has already been counted."""
    return actor.economy.left(ACTIONS) > 1


# The end of the round, in the order of the rules


def recover(table: Table, combatant: Combatant) -> None:
    table.gain(combatant, AP, ap_recovery(fat_of(combatant)), "recovery: a quarter of FAT", RECOVERY)


def return_locked(table: Table, combatant: Combatant) -> None:
    if locked := combatant.economy[AP].locked:
        table.lock(combatant, AP, -locked, "locked AP return", LOCKED_RETURN)


def reset_spent(table: Table, combatant: Combatant) -> None:
    pool = combatant.economy[AP]
    if pool.spent:
        table.reset(combatant, AP, pool.current, "spent AP are reset", NEW_ROUND)


def cap(table: Table, combatant: Combatant) -> None:
    pool = combatant.economy[AP]
    if pool.maximum is not None and pool.current > pool.maximum:
        table.reset(combatant, AP, pool.maximum, "capped at the maximum", CAP)


def renew_round(table: Table, combatant: Combatant) -> None:
    """Reset the counters for each round."""
    for resource, amount in ((ACTIONS, 0), (METRES, FREE_METRES)):
        if combatant.economy.left(resource) != amount:
            table.reset(combatant, resource, amount, "a new round", NEW_ROUND)
