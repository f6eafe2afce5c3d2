"""Defences that are actions: they are paid for, and may need a Focus check."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from combatlog.rules.action_points.assault import DODGE, Assault, Stand, stand_passively
from combatlog.rules.action_points.base_action import require_able, require_action, undertake
from combatlog.rules.action_points.checks import Attempt, ability_chain, check, roll
from combatlog.rules.action_points.economy import AP, COSTS, Cost, Effort, Payment, can_pay
from combatlog.rules.action_points.equipment import Shield, Weapon
from combatlog.rules.action_points.pieces import Reaction, piece
from combatlog.rules.action_points.protection import durability, rating
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.stances import PARRYING
from combatlog.rules.action_points.tables import PROTECTION_TV
from combatlog.rules.action_points.targeting import parrying_weapon
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Data, ReactionUsed
from projections.combatant import Combatant


class ActiveDefence(Reaction):
    options: ClassVar[type[Options]] = Effort
    purpose: ClassVar[str]
    """What it is used for, in words."""

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        require_action(reactor)

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, Cost]]:
        for payment, cost in COSTS.items():
            if can_pay(reactor, cost):
                yield {} if payment is Payment.STANDARD else {"pay": payment.value}, cost

    def promise(self, assault: Assault) -> float:
        return ability_chain(self.attempt(assault.defender, Effort())).bonus()

    @abstractmethod
    def attempt(self, defender: Combatant, effort: Effort) -> Attempt:
        """The skill that it is made with."""

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        """If the Focus check fails, the defence does not happen and the passive value counts."""
        defender, effort = assault.defender, Effort.read(options)
        if not undertake(table, defender, effort, self.name, self.ref):
            return stand_passively(table, assault)
        used = table.record(ReactionUsed, reactor=defender.id, reaction=self.ref, reason=self.purpose)
        with table.because_of(used):
            return self.defend(table, assault, effort)

    def defend(self, table: Table, assault: Assault, effort: Effort) -> Stand:
        """Roll the defence, which has been paid for."""
        return Stand(roll(table, self.attempt(assault.defender, effort)).total)


@piece
class Dodge(ActiveDefence):
    """Dodge the attack: it has to beat a Dodge roll."""

    name = "dodge"
    purpose = "to dodge the attack"
    preference = 2

    def attempt(self, defender: Combatant, effort: Effort) -> Attempt:
        return Attempt(defender, DODGE, "defence", effort)


@piece
class Parry(ActiveDefence):
    """Parry a melee attack: it has to beat a roll with the parrying weapon. Free in parry mode, otherwise an action."""

    name = "parry"
    cost = f"free in parry mode, otherwise {ActiveDefence.cost}"
    purpose = "to parry the attack"
    preference = 1

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        if reactor.has(PARRYING):
            _require_readiness(reactor)
        elif assault is None or assault.paid_parries:
            super().require(reactor, assault)
        else:
            raise Refusal("reaction/not-parrying", f"{reactor.name} is not in parry mode.", who=reactor.id)
        if assault is not None and not assault.melee:
            raise Refusal("reaction/not-melee", "Only melee attacks can be parried.", who=reactor.id)
        if parrying_weapon(reactor) is None:
            raise Refusal(
                "reaction/no-weapon", f"{reactor.name} has no melee weapon in hand to parry with.", who=reactor.id
            )

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, Cost]]:
        return iter([({}, Cost())]) if reactor.has(PARRYING) else super().prices(reactor)

    def promise(self, assault: Assault) -> float:
        return super().promise(assault) + (FREE if assault.defender.has(PARRYING) else 0)

    def attempt(self, defender: Combatant, effort: Effort | None) -> Attempt:
        weapon = _parrying_weapon(defender)
        return Attempt(defender, weapon.skill, "defence", effort, weapon=weapon)

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        defender = assault.defender
        if not defender.has(PARRYING):
            return super().answer(table, assault, options)
        if options:
            raise Refusal(
                "reaction/free",
                f"{defender.name} is in parry mode, where a parry is free and takes no payment or boost.",
                who=defender.id,
                what=self.name,
            )
        used = table.record(ReactionUsed, reactor=defender.id, reaction=self.ref, reason=self.purpose)
        with table.because_of(used):
            return Stand(roll(table, self.attempt(defender, None)).total)


FREE = 3
"""What a free answer is worth on top, in target value."""


def _require_readiness(reactor: Combatant) -> None:
    """Even a free parry needs somebody who can act and has AP left."""
    require_able(reactor)
    if reactor.economy.left(AP) == 0:
        raise Refusal(
            "reaction/no-ap",
            f"{reactor.name} has no AP left, so it can only defend passively.",
            who=reactor.id,
            resource=AP,
            needed=1,
            available=0,
        )


def _parrying_weapon(reactor: Combatant) -> Weapon:
    weapon = parrying_weapon(reactor)
    assert weapon is not None, "this was checked before the reaction was offered"
    return weapon


@piece
class ShieldBlock(ActiveDefence):
    """Raise a shield, which absorbs some of the attack; the attack still has to beat the passive defence."""

    name = "shield_block"
    purpose = "to block the attack"
    preference = 3

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        super().require(reactor, assault)
        shield = sheet_of(reactor).shield
        if shield is None:
            raise Refusal("reaction/no-shield", f"{reactor.name} has no shield to block with.", who=reactor.id)
        if durability(reactor, shield) == 0:
            raise Refusal("reaction/broken-shield", f"{reactor.name}'s {shield.name} is broken.", who=reactor.id)

    def promise(self, assault: Assault) -> float:
        """The passive defence, and what the shield would absorb if it is likely to be raised in time."""
        defender = assault.defender
        passive = ability_chain(Attempt(defender, DODGE, "defence")).bonus() - 1
        in_time = super().promise(assault) >= PROTECTION_TV
        return passive + (rating(defender, _shield(defender), assault.means) if in_time else 0)

    def attempt(self, defender: Combatant, effort: Effort) -> Attempt:
        return Attempt(defender, _shield(defender).skill, "block", effort)

    def defend(self, table: Table, assault: Assault, effort: Effort) -> Stand:
        block = check(table, self.attempt(assault.defender, effort), PROTECTION_TV)
        return stand_passively(table, assault, _shield(assault.defender) if block.success else None)


def _shield(reactor: Combatant) -> Shield:
    shield = sheet_of(reactor).shield
    assert shield is not None, "this was checked before the reaction was offered"
    return shield
