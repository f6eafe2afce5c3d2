"""Which payment to recommend, by the rules' table of high and low FAT and AP.

The rules do not say what counts as low. Here the payments themselves decide: FAT is low if the standard payment would
leave so little that the next action needs a Focus check; AP are low if they do not cover the fatigue-free payment.
"""

from __future__ import annotations

from types import MappingProxyType

from combatlog.rules.action_points.base_action import require_able
from combatlog.rules.action_points.economy import AP, COSTS, Cost, Payment, require_payable
from combatlog.rules.action_points.pieces import PIECES, Activity
from combatlog.rules.action_points.tables import LOW_FAT_FOCUS
from combatlog.rules.action_points.vitality import FAT, PENDING_HEALING, fat_of
from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.ruleset import Advice
from projections.battle import Battle
from projections.combatant import Combatant

REST = "rest"
RECOMMENDED = MappingProxyType(
    {
        (False, True): (Payment.STANDARD, "FAT is high and AP are low; standard actions save AP"),
        (True, False): (Payment.FATIGUE_FREE, "FAT is low and AP are high; fatigue-free actions save FAT"),
        (True, True): (REST, "FAT and AP are both low; rest or retreat"),
        (False, False): (Payment.STANDARD, "FAT and AP are both high; act aggressively, with standard actions"),
    }
)
"""What to do, by whether FAT and AP are low."""


def fat_is_low(fat: int) -> bool:
    return fat - COSTS[Payment.STANDARD].fat <= max(LOW_FAT_FOCUS)


def ap_are_low(ap: int) -> bool:
    return ap < COSTS[Payment.FATIGUE_FREE].ap


def advise(battle: Battle, actor: Combatant) -> list[Advice]:
    """Advice is given outside the actor's turn, too, because dodging has to be paid for."""
    payments = [_payment(actor, payment) for payment in Payment]
    return [*payments, _rest(battle, actor)]


def _payment(actor: Combatant, payment: Payment) -> Advice:
    cost = COSTS[payment]
    why_not = obstacle(lambda: require_able(actor), lambda: require_payable(actor, cost))
    return _advice(actor, payment, why_not, _left_by(actor, cost))


def _rest(battle: Battle, actor: Combatant) -> Advice:
    """Resting with all AP, which heals the most."""
    rest = PIECES.of(Activity)[REST]
    why_not = obstacle(lambda: rest.require(battle, actor))
    available = actor.economy.left(AP)
    pending = PENDING_HEALING[FAT]
    leaves = _left_by(actor, Cost(ap=available)) | {pending: actor.economy.left(pending) + available}
    return _advice(actor, REST, why_not, leaves)


def _advice(actor: Combatant, choice: str, why_not: str | None, leaves: dict[str, int]) -> Advice:
    fitting, reason = RECOMMENDED[fat_is_low(fat_of(actor)), ap_are_low(actor.economy.left(AP))]
    if why_not is not None:
        return Advice(choice=choice, recommended=False, why=why_not)
    return Advice(choice=choice, recommended=choice == fitting, why=reason, leaves=leaves)


def _left_by(actor: Combatant, cost: Cost) -> dict[str, int]:
    return {AP: actor.economy.left(AP) - cost.ap, FAT: fat_of(actor) - cost.fat}
