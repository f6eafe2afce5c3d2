"""Reactions: ways to defend against an attack. Dodge, parry and shield block have to be paid for; passive is free."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from combatlog.rules.action_points.attack import (
    DODGE,
    ActionPointsAttack,
    DefenceResult,
    defend_passively,
    durability,
    rating,
)
from combatlog.rules.action_points.checks import (
    SkillAttempt,
    ability_chain,
    check,
    require_able,
    require_action,
    roll,
    undertake,
)
from combatlog.rules.action_points.economy_and_vitality import (
    AP,
    COSTS,
    PARRYING,
    BoostOptions,
    Payment,
    PointCost,
    can_pay,
)
from combatlog.rules.action_points.equipment import ActionPointsWeapon, CarriedShield
from combatlog.rules.action_points.pieces import ActionPointsReaction, piece
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables_and_formulas import PROTECTION_TV
from combatlog.rules.action_points.targeting_and_movement import parrying_weapon
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, ReactionUsed
from projections.battle.combatant import Combatant


class ActiveDefence(ActionPointsReaction):
    options: ClassVar[type[Options]] = BoostOptions
    purpose: ClassVar[str]
    """The purpose of the reaction, in words."""

    def require(self, reactor: Combatant, assault: ActionPointsAttack | None) -> None:
        require_action(reactor)

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, PointCost]]:
        for payment, cost in COSTS.items():
            if can_pay(reactor, cost):
                yield {} if payment is Payment.STANDARD else {"pay": payment.value}, cost

    def promise(self, assault: ActionPointsAttack) -> float:
        return ability_chain(self.attempt(assault.defender, BoostOptions())).bonus()

    @abstractmethod
    def attempt(self, defender: Combatant, effort: BoostOptions) -> SkillAttempt:
        """The skill attempt of the defence."""

    def answer(self, table: Table, assault: ActionPointsAttack, options: Data) -> DefenceResult:
        """Pay and defend. If the Focus check fails, the passive value counts instead."""
        defender, effort = assault.defender, BoostOptions.read(options)
        if not undertake(table, defender, effort, self.name, self.ref):
            return defend_passively(table, assault)
        used = table.record(ReactionUsed, reactor=defender.id, reaction=self.ref, reason=self.purpose)
        with table.because_of(used):
            return self.defend(table, assault, effort)

    def defend(self, table: Table, assault: ActionPointsAttack, effort: BoostOptions) -> DefenceResult:
        """Roll the defence after it has been paid for."""
        return DefenceResult(roll(table, self.attempt(assault.defender, effort)).total)


@piece
class DodgeReaction(ActiveDefence):
    """Dodge: the attack has to beat a Dodge roll."""

    name = "dodge"
    purpose = "to dodge the attack"
    preference = 2

    def attempt(self, defender: Combatant, effort: BoostOptions) -> SkillAttempt:
        return SkillAttempt(defender, DODGE, "defence", effort)


@piece
class ParryReaction(ActiveDefence):
    """Parry: a melee attack has to beat a roll with the parrying weapon. Free in parry mode, otherwise an action."""

    name = "parry"
    cost = f"free in parry mode, otherwise {ActiveDefence.cost}"
    purpose = "to parry the attack"
    preference = 1

    def require(self, reactor: Combatant, assault: ActionPointsAttack | None) -> None:
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

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, PointCost]]:
        return iter([({}, PointCost())]) if reactor.has(PARRYING) else super().prices(reactor)

    def promise(self, assault: ActionPointsAttack) -> float:
        return super().promise(assault) + (FREE if assault.defender.has(PARRYING) else 0)

    def attempt(self, defender: Combatant, effort: BoostOptions | None) -> SkillAttempt:
        weapon = _parrying_weapon(defender)
        return SkillAttempt(defender, weapon.skill, "defence", effort, weapon=weapon)

    def answer(self, table: Table, assault: ActionPointsAttack, options: Data) -> DefenceResult:
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
            return DefenceResult(roll(table, self.attempt(defender, None)).total)


FREE = 3
"""The additional worth of a free reaction, in target value."""


def _require_readiness(reactor: Combatant) -> None:
    """Refuse even a free parry to a reactor that cannot act or has no AP left."""
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


def _parrying_weapon(reactor: Combatant) -> ActionPointsWeapon:
    weapon = parrying_weapon(reactor)
    assert weapon is not None, "this was checked before the reaction was offered"
    return weapon


@piece
class ShieldBlock(ActiveDefence):
    """Raise a shield, which absorbs part of the attack; the attack still has to beat the passive defence."""

    name = "shield_block"
    purpose = "to block the attack"
    preference = 3

    def require(self, reactor: Combatant, assault: ActionPointsAttack | None) -> None:
        super().require(reactor, assault)
        shield = sheet_of(reactor).shield
        if shield is None:
            raise Refusal("reaction/no-shield", f"{reactor.name} has no shield to block with.", who=reactor.id)
        if durability(reactor, shield) == 0:
            raise Refusal("reaction/broken-shield", f"{reactor.name}'s {shield.name} is broken.", who=reactor.id)

    def promise(self, assault: ActionPointsAttack) -> float:
        """The passive defence, plus the absorption of the shield if it is likely to be raised in time."""
        defender = assault.defender
        passive = ability_chain(SkillAttempt(defender, DODGE, "defence")).bonus() - 1
        in_time = super().promise(assault) >= PROTECTION_TV
        return passive + (rating(defender, _shield(defender), assault.means) if in_time else 0)

    def attempt(self, defender: Combatant, effort: BoostOptions) -> SkillAttempt:
        return SkillAttempt(defender, _shield(defender).skill, "block", effort)

    def defend(self, table: Table, assault: ActionPointsAttack, effort: BoostOptions) -> DefenceResult:
        block = check(table, self.attempt(assault.defender, effort), PROTECTION_TV)
        return defend_passively(table, assault, _shield(assault.defender) if block.success else None)


def _shield(reactor: Combatant) -> CarriedShield:
    shield = sheet_of(reactor).shield
    assert shield is not None, "this was checked before the reaction was offered"
    return shield


@piece
class PassiveDefence(ActionPointsReaction):
    """Do nothing: the attack has to beat Dodge - 1."""

    name = "passive"
    cost = "free"
    preference = 4

    def answer(self, table: Table, assault: ActionPointsAttack, options: Data) -> DefenceResult:
        return defend_passively(table, assault)
