"""The steps of every action: check that it is legal, make a Focus check if one is needed, pay for it, do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from combatlog.rules.action_points.checks import Attempt, check
from combatlog.rules.action_points.economy import (
    COSTS,
    EITHER_PAYMENT,
    Effort,
    Paid,
    Payment,
    count_action,
    pay,
    require_payable,
)
from combatlog.rules.action_points.formulas import focus_tv
from combatlog.rules.action_points.pieces import Activity, held_by
from combatlog.rules.action_points.stances import end_parrying, lose_aim
from combatlog.rules.action_points.tables import INCAPACITATED_VIT
from combatlog.rules.action_points.vitality import FAT, VIT, fat_of, is_dead, vit_of
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Ref, Until, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant

FOCUS = "focus"
FOCUS_RULE = "action_points:rule:focus"
UNFOCUSED = "action_points:condition:unfocused"


@dataclass(frozen=True, slots=True)
class Deed:
    """An action that has been found legal: how it is paid for, and what it does."""

    paid: Paid
    perform: Callable[[], None]


class Action(Activity):
    """An action as the rules define it: it is paid for, and may need a Focus check."""

    cost = EITHER_PAYMENT
    options: ClassVar[type[Options]] = Effort
    uses_aim: ClassVar[bool] = False
    """Whether it is what somebody may have aimed for. Every other action interrupts aiming."""

    def require(self, battle: Battle, actor: Combatant) -> None:
        require_action(actor)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        """Refuse what is not legal. Nothing has been recorded at this point."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        deed = self.prepare(table, actor, declared)
        if undertake(table, actor, deed.paid, self.name, self.ref, keeps_aim=self.uses_aim):
            deed.perform()


def require_able(actor: Combatant) -> None:
    """Refuse a combatant that cannot act at all."""
    if is_dead(actor):
        raise Refusal("state/dead", f"{actor.name} is dead and cannot act.", who=actor.id)
    if vit_of(actor) <= INCAPACITATED_VIT:
        raise Refusal(
            "state/incapacitated",
            f"{actor.name} has VIT {vit_of(actor)} and cannot act; that takes VIT {INCAPACITATED_VIT + 1} or more.",
            who=actor.id,
            resource=VIT,
            needed=INCAPACITATED_VIT + 1,
            available=vit_of(actor),
        )
    if fat_of(actor) == 0:
        raise Refusal(
            "state/exhausted",
            f"{actor.name} has no FAT left and cannot act until it has recovered some.",
            who=actor.id,
            resource=FAT,
            needed=1,
            available=0,
        )
    for condition, _ in held_by(actor):
        if refusal := condition.forbids_acting(actor):
            raise refusal


def require_action(actor: Combatant) -> None:
    """Refuse a combatant that cannot act or cannot pay. Whoever can pay at all can pay the standard way."""
    require_able(actor)
    require_focus(actor)
    require_payable(actor, COSTS[Payment.STANDARD])


def require_focus(actor: Combatant) -> None:
    """A failed Focus check costs nothing, so it must not be tried again until it succeeds."""
    if actor.has(UNFOCUSED):
        raise Refusal(
            "focus/failed",
            f"{actor.name} has failed its Focus check in this turn and can try again in the next one.",
            who=actor.id,
        )


def focus_holds(table: Table, actor: Combatant) -> bool:
    """Make the Focus check that acting takes at low FAT or VIT. Everybody else needs none."""
    target_value = focus_tv(fat_of(actor), vit_of(actor))
    if target_value is None:
        return True
    checked = check(table, Attempt(actor, FOCUS, FOCUS), target_value)
    if not checked.success:
        with table.because_of(checked):
            until = Until(moment=UntilMoment.TURN_END, whose=table.battle.clock.turn)
            table.apply_condition(actor, UNFOCUSED, source=FOCUS_RULE, owner=actor.id, until=until)
    return checked.success


def undertake(table: Table, actor: Combatant, paid: Paid, why: str, source: Ref, *, keeps_aim: bool = False) -> bool:
    """Begin an action: Focus check, then payment. False if it does not happen; a failed Focus check costs nothing."""
    require_payable(actor, paid.cost)
    if not focus_holds(table, actor):
        return False
    pay(table, actor, paid.cost, why, source)
    if is_dead(actor):
        return False
    begin_action(table, actor, why, source, keeps_aim=keeps_aim)
    return True


def begin_action(table: Table, actor: Combatant, why: str, source: Ref, *, keeps_aim: bool = False) -> None:
    """Count the action. It ends parry mode, and aiming unless it is the shot."""
    count_action(table, actor, why, source)
    end_parrying(table, actor, f"it takes another action: {why}")
    if not keeps_aim:
        lose_aim(table, actor, f"it takes another action: {why}")
