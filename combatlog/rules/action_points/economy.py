"""Action points, and what actions cost: 1 AP and 1 FAT, or 2 AP, and on top of that any boost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from pydantic import Field

from combatlog.rules.action_points.formulas import ap_recovery
from combatlog.rules.action_points.tables import FREE_METRES
from combatlog.rules.action_points.vitality import FAT, PENDING_POOLS, exhaust, fat_of
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Gauge, Ref
from projections.combatant import Combatant

AP = "ap"
ACTIONS = "actions_taken"
METRES = "free_metres"

RECOVERY = "action_points:rule:recovery"
LOCKED_RETURN = "action_points:rule:locked_return"
NEW_ROUND = "action_points:rule:new_round"
CAP = "action_points:rule:cap"
"""The rules that change AP at the end of a round. Several of them may apply, one after the other."""


class Payment(StrEnum):
    STANDARD = "standard"
    FATIGUE_FREE = "fatigue-free"


@dataclass(frozen=True, slots=True)
class Cost:
    ap: int = 0
    fat: int = 0

    def __str__(self) -> str:
        return f"{self.ap} AP + {self.fat} FAT" if self.fat else f"{self.ap} AP"


COSTS = MappingProxyType({Payment.STANDARD: Cost(ap=1, fat=1), Payment.FATIGUE_FREE: Cost(ap=2)})
EITHER_PAYMENT = " or ".join(map(str, COSTS.values()))


class Paid(Options):
    """The options of an action that is paid for and needs no roll."""

    pay: Payment = Field(
        default=Payment.STANDARD,
        description=f"the price: {', '.join(f'{payment} is {cost}' for payment, cost in COSTS.items())}",
    )

    @property
    def cost(self) -> Cost:
        return COSTS[self.pay]


class Effort(Paid):
    """The options of an action with a roll, which can be boosted."""

    boost_ap: int = Field(default=0, ge=0, le=99, description="AP spent to improve the roll, by 1 each")
    boost_fat: int = Field(default=0, ge=0, le=99, description="FAT spent to improve the roll, by 1 each")

    @property
    def cost(self) -> Cost:
        base = super().cost
        return Cost(base.ap + self.boost_ap, base.fat + self.boost_fat)


def starting_resources(maximum: int) -> dict[str, Gauge]:
    """Everybody starts with maximum AP and nothing pending."""
    return {
        AP: Gauge(current=maximum, maximum=maximum),
        ACTIONS: Gauge(current=0),
        METRES: Gauge(current=FREE_METRES, maximum=FREE_METRES),
    } | {pool: Gauge(current=0) for pool in PENDING_POOLS}


# Paying


def require_payable(payer: Combatant, cost: Cost) -> None:
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


def can_pay(payer: Combatant, cost: Cost) -> bool:
    return payer.economy.left(AP) >= cost.ap and fat_of(payer) >= cost.fat


def pay(table: Table, payer: Combatant, cost: Cost, why: str, source: Ref) -> None:
    """Spend AP and FAT. Spending the last FAT hurts, before the action goes on."""
    table.spend(payer, AP, cost.ap, why, source)
    if cost.fat:
        spent = table.spend_vital(payer, FAT, cost.fat, why, source)
        if spent.after == 0:
            with table.because_of(spent):
                exhaust(table, payer)


def count_action(table: Table, actor: Combatant, why: str, source: Ref) -> None:
    table.gain(actor, ACTIONS, 1, why, source)


def has_acted_before(actor: Combatant) -> bool:
    """Whether this is a later action of the round. The action under way has been counted already."""
    return actor.economy.left(ACTIONS) > 1


# The end of the round, in the order that the rules give


def recover(table: Table, combatant: Combatant) -> None:
    table.gain(combatant, AP, ap_recovery(fat_of(combatant)), "recovery: a quarter of FAT", RECOVERY)


def return_locked(table: Table, combatant: Combatant) -> None:
    if locked := combatant.economy[AP].locked:
        table.lock(combatant, AP, -locked, "locked AP return", LOCKED_RETURN)


def forget_spent(table: Table, combatant: Combatant) -> None:
    pool = combatant.economy[AP]
    if pool.spent:
        table.reset(combatant, AP, pool.current, "spent AP are reset", NEW_ROUND)


def cap(table: Table, combatant: Combatant) -> None:
    pool = combatant.economy[AP]
    if pool.maximum is not None and pool.current > pool.maximum:
        table.reset(combatant, AP, pool.maximum, "capped at the maximum", CAP)


def renew_round(table: Table, combatant: Combatant) -> None:
    """Start counting anew what is counted by the round."""
    for resource, amount in ((ACTIONS, 0), (METRES, FREE_METRES)):
        if combatant.economy.left(resource) != amount:
            table.reset(combatant, resource, amount, "a new round", NEW_ROUND)
