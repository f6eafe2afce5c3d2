"""Attacking with a weapon, aiming, defending, disarming, rearming and knockback."""

from __future__ import annotations

from types import MappingProxyType

from combatlog.rules.action_points.attack import (
    ActionPointsAttack,
    deal_damage,
    manoeuvre_success,
    parries_can_be_paid_for,
    resolve,
)
from combatlog.rules.action_points.checks import PaidAction, PreparedAction
from combatlog.rules.action_points.economy_and_vitality import AIMING, PARRYING, BoostOptions, PaymentOptions, lose_aim
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.tables_and_formulas import Quality, quality
from combatlog.rules.action_points.targeting_and_movement import (
    DISARMED,
    choose_weapon,
    held_weapons,
    opponent,
    parrying_weapon,
    push,
    require_reach,
    weapon_ref,
)
from combatlog.rules.action_points.turns import cool_down, require_ready
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared, ManualResolutionNeeded
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

WITH_A_WEAPON = frozenset({Part.TARGET, Part.WEAPON})
"""The parts of a declaration that an attack with a weapon uses."""


@piece
class AttackWithWeapon(PaidAction):
    """Attack a target with a weapon in hand, in melee or from a distance."""

    name = "attack"
    takes = WITH_A_WEAPON
    uses_aim = True

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        assault = armed_assault(table, actor, declared)
        return PreparedAction(assault.effort, lambda: _strike(table, assault))


def armed_assault(table: Table, actor: Combatant, declared: Declared, *, melee: bool = False) -> ActionPointsAttack:
    """The declared attack with a weapon. Refuses an impossible one."""
    target = opponent(table, actor, declared)
    weapon = choose_weapon(actor, declared.weapon, melee=melee)
    require_reach(actor, target, weapon.farthest, weapon.name)
    require_ready(actor, weapon)
    return ActionPointsAttack(
        actor,
        target,
        weapon.skill,
        BoostOptions.read(declared.options),
        weapon_ref(weapon),
        weapon,
        melee=weapon.is_melee,
        paid_parries=parries_can_be_paid_for(table.battle),
    )


def _strike(table: Table, assault: ActionPointsAttack) -> None:
    cool_down(table, assault)
    hit = resolve(table, assault)
    lose_aim(table, assault.attacker, "it has attacked")
    if hit is not None:
        deal_damage(table, hit)


@piece
class AimAtTarget(PaidAction):
    """Aim at a target: a shot at it gets +2 if it is the first action of the next round."""

    name = "aim"
    options = PaymentOptions
    takes = WITH_A_WEAPON

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if all(weapon.is_melee for weapon in held_weapons(actor)):
            raise _nothing_to_aim_with(actor)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        target = opponent(table, actor, declared)
        weapon = choose_weapon(actor, declared.weapon)
        if weapon.is_melee:
            raise _nothing_to_aim_with(actor)
        require_reach(actor, target, weapon.farthest, weapon.name)
        held = actor.conditions.get(AIMING)
        if held is not None and held.data.get("target") == target.id:
            raise Refusal(
                "aim/already",
                f"{actor.name} is already aiming at {target.name}; its shot in the next round gets the bonus.",
                who=actor.id,
                target=target.id,
            )

        def take_aim() -> None:
            table.apply_condition(actor, AIMING, source=self.ref, owner=actor.id, data={"target": target.id})

        return PreparedAction(PaymentOptions.read(declared.options), take_aim)


def _nothing_to_aim_with(actor: Combatant) -> Refusal:
    return Refusal("aim/no-ranged-weapon", f"{actor.name} can only aim with a ranged weapon in hand.", who=actor.id)


@piece
class Defend(PaidAction):
    """Enter parry mode: until its next action, the combatant can parry melee attacks for free.

    Dodging, the other way to defend, is a reaction to an attack.
    """

    name = "defend"
    options = PaymentOptions

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if actor.has(PARRYING):
            raise Refusal(
                "defend/already",
                f"{actor.name} is already in parry mode; its parries are free until its next action.",
                who=actor.id,
            )
        if parrying_weapon(actor) is None:
            raise Refusal("defend/no-weapon", f"{actor.name} has no melee weapon in hand to parry with.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        def enter() -> None:
            table.apply_condition(actor, PARRYING, source=self.ref, owner=actor.id)

        return PreparedAction(PaymentOptions.read(declared.options), enter)


@piece
class Disarm(PaidAction):
    """Knock a weapon out of the target's hand with a melee attack that does no damage."""

    name = "disarm"
    takes = WITH_A_WEAPON

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        assault = armed_assault(table, actor, declared, melee=True)
        if not held_weapons(assault.defender):
            raise Refusal(
                "disarm/unarmed",
                f"{assault.defender.name} has no weapon in hand; attack instead.",
                who=actor.id,
                target=assault.defender.id,
            )
        return PreparedAction(assault.effort, lambda: _disarm(table, assault))


def _disarm(table: Table, assault: ActionPointsAttack) -> None:
    hit = resolve(table, assault)
    if hit is None or manoeuvre_success(table, hit) is None:
        return
    victim = assault.defender
    before = victim.conditions.get(DISARMED)
    lost = [*(before.data["weapons"] if before else ()), held_weapons(victim)[0].name]
    with table.because_of(hit.check):
        table.apply_condition(
            victim, DISARMED, source=assault.source, owner=assault.attacker.id, data={"weapons": lost}
        )


METRES = MappingProxyType(
    {Quality.MARGINAL: 1, Quality.STANDARD: 2, Quality.GOOD: 3, Quality.EXCELLENT: 4, Quality.OUTSTANDING: 5}
)
"""The metres that the target is pushed, by the quality of the success."""


@piece
class Knockback(PaidAction):
    """Push the target away with a melee attack that does no damage; the better the success, the farther."""

    name = "knockback"
    takes = WITH_A_WEAPON

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        assault = armed_assault(table, actor, declared, melee=True)
        return PreparedAction(assault.effort, lambda: _shove(table, assault))


def _shove(table: Table, assault: ActionPointsAttack) -> None:
    hit = resolve(table, assault)
    success_value = manoeuvre_success(table, hit) if hit is not None else None
    if hit is None or success_value is None:
        return
    with table.because_of(hit.check):
        _push_back(table, assault, METRES[quality(success_value)])


def _push_back(table: Table, assault: ActionPointsAttack, metres: int) -> None:
    attacker, victim = assault.attacker, assault.defender
    if attacker.position is not None and victim.position is not None:
        push(table, victim, attacker.position, metres)
        return
    effect = f"it is pushed back {metres} m, but has no position"
    table.record(ManualResolutionNeeded, subject=victim.id, effect=effect, source=assault.source)


@piece
class Rearm(PaidAction):
    """Pick up the weapons that were knocked out of the combatant's hands."""

    name = "rearm"
    options = PaymentOptions

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if not actor.has(DISARMED):
            raise Refusal("rearm/armed", f"{actor.name} is not disarmed; there is nothing to pick up.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        def take_up() -> None:
            table.remove_condition(actor, DISARMED, self.name)

        return PreparedAction(PaymentOptions.read(declared.options), take_up)
