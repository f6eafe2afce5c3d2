"""What every action goes through: can it be done at all, does Focus hold, is it paid for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from ledger.events import Declared, Ref
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.checks import Attempt, check
from rules.action_points.economy import COSTS, EITHER_PAYMENT, Effort, Paid, Payment, count_action, pay, require_payable
from rules.action_points.formulas import focus_tv
from rules.action_points.pieces import Activity, held_by
from rules.action_points.tables import INCAPACITATED_VIT
from rules.action_points.vitality import fat_of, is_dead, vit_of
from rules.engine.options import Options
from rules.engine.refusal import Refusal
from rules.engine.table import Table

PARRYING = "action_points:condition:parrying"
FOCUS = "focus"


@dataclass(frozen=True, slots=True)
class Deed:
    """An action that is legal: how it is paid for and what it does then."""

    paid: Paid
    perform: Callable[[], None]


class Action(Activity):
    """An action in the sense of the rules: it may take a Focus check, and has to be paid for."""

    cost = EITHER_PAYMENT
    options: ClassVar[type[Options]] = Effort

    def require(self, battle: Battle, actor: Combatant) -> None:
        require_action(actor)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        """Refuse what is not legal; nothing is recorded yet."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        deed = self.prepare(table, actor, declared)
        if undertake(table, actor, deed.paid, self.name, self.ref):
            deed.perform()


def require_able(actor: Combatant) -> None:
    """Refuse those who cannot act, whatever they would do."""
    if is_dead(actor):
        raise Refusal("state/dead", f"{actor.id} is dead; end its turn.")
    if vit_of(actor) <= INCAPACITATED_VIT:
        raise Refusal("state/incapacitated", f"{actor.id} has VIT {vit_of(actor)} and cannot act; end its turn.")
    if fat_of(actor) == 0:
        raise Refusal("state/exhausted", f"{actor.id} has FAT 0 and cannot act until some is back; end its turn.")
    for condition, _ in held_by(actor):
        if refusal := condition.forbids_acting(actor):
            raise refusal


def require_action(actor: Combatant) -> None:
    """Refuse those who cannot act or cannot pay for any action. Who can pay at all can pay the standard way."""
    require_able(actor)
    require_payable(actor, COSTS[Payment.STANDARD])


def focus_holds(table: Table, actor: Combatant) -> bool:
    """The Focus check of those with little FAT or VIT; everybody else needs none."""
    target_value = focus_tv(fat_of(actor), vit_of(actor))
    return target_value is None or check(table, Attempt(actor, FOCUS, FOCUS), target_value).success


def undertake(table: Table, actor: Combatant, paid: Paid, why: str, source: Ref) -> bool:
    """Begin an action: Focus, then payment. False when it does not happen; a failed Focus check costs nothing."""
    require_payable(actor, paid.cost)
    if not focus_holds(table, actor):
        return False
    pay(table, actor, paid.cost, why, source)
    if is_dead(actor):
        return False
    count_action(table, actor, why, source)
    end_parrying(table, actor, why)
    return True


def end_parrying(table: Table, actor: Combatant, why: str) -> None:
    if actor.has(PARRYING):
        table.remove_condition(actor, PARRYING, f"another action: {why}")
