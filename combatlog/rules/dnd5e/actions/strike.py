"""Weapon attacks: Strike, and the actions that combine the Attack action with its first Strike."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from combatlog.rules.dnd5e.abilities.attack import take_attack_action
from combatlog.rules.dnd5e.attack import make_attack, resolve_attack
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION, ATTACKS
from combatlog.rules.dnd5e.multiattack import STRIKE, check_in_multiattack, routine_with, weapon_to_strike_with
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.targeting import check_aim, one_target, weapon_named
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.wielding import attack_paid_for, check_loaded, has_at_hand
from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


class BlowOptions(Options):
    knock_out: bool = Field(default=False, description="knock the target out at 0 hit points, with a melee attack")
    two_hands: bool = Field(default=False, description="hold a versatile weapon in both hands, for more damage")


class StrikeOptions(BlowOptions):
    thrown: bool = Field(default=False, description="throw the weapon even if the target is within reach")


@piece
class Strike(Action):
    """Make one attack with a weapon."""

    name = "strike"
    cost = {ATTACKS: 1}
    tags = ("attack", "weapon")
    options = StrikeOptions
    parts = frozenset({Part.TARGET, Part.WEAPON})

    def spent_for(self, actor: Combatant, declared: Declared) -> str:
        return attack_paid_for(self.ref, _weapon(actor, declared))

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        weapon = gripped(actor, target, _weapon(actor, declared), declared)
        if _is_thrown(declared) and weapon.range is None:
            raise Refusal(
                "strike/not-thrown",
                f"{weapon.name} cannot be thrown; choose another weapon, or strike with it.",
                who=actor.id,
                weapon=weapon.name,
            )
        check_in_multiattack(actor, declared.weapon)
        check_loaded(table.battle, actor, weapon)
        check_aim(table.battle, actor, target, weapon)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        weapon = gripped(actor, target, _weapon(actor, declared), declared)
        _strike(table, actor, target, declared, weapon, thrown=_is_thrown(declared))


def _weapon(actor: Combatant, declared: Declared) -> Weapon:
    """The weapon of a strike: the one that was named, or the next of its multiattack."""
    return weapon_named(actor, weapon_to_strike_with(actor, declared.weapon))


def gripped(actor: Combatant, target: Combatant, weapon: Weapon, declared: Declared) -> Weapon:
    """The weapon as it is held: a versatile one in both hands, if somebody says so and does not throw it."""
    if not declared.options or not BlowOptions.read(declared.options).two_hands:
        return weapon
    if weapon.range is not None and (_is_thrown(declared) or feet_between(actor, target) > weapon.reach):
        return weapon
    if weapon.in_two_hands is None:
        raise Refusal(
            "strike/not-versatile",
            f"{weapon.name} is not a versatile weapon; leave out that it is held in both hands.",
            who=actor.id,
            weapon=weapon.name,
        )
    return weapon.in_two_hands


def _is_thrown(declared: Declared) -> bool:
    return bool(declared.options) and StrikeOptions.read(declared.options).thrown


def _strike(
    table: Table, actor: Combatant, target: Combatant, declared: Declared, weapon: Weapon, *, thrown: bool
) -> None:
    if grants := actor.granted_actions(STRIKE):
        used = min(grants, key=lambda grant: (grant.weapon != weapon.name, grant.weapon is not None))
        table.ungrant(used, "used")
    attack = make_attack(table.battle, actor, target, weapon, thrown=thrown)
    attack.knock_out = bool(declared.options) and BlowOptions.read(declared.options).knock_out
    resolve_attack(table, attack)


class WeaponAction(Action):
    """The Attack action and its first Strike in one declaration. Whoever has a suitable weapon has it."""

    cost = {ACTION: 1}
    parts = frozenset({Part.TARGET, Part.WEAPON})
    thrown: ClassVar[bool] = False
    """Whether a melee weapon that can be thrown is thrown."""

    def suits(self, weapon: Weapon) -> bool:
        raise NotImplementedError

    def is_held(self, combatant: Combatant) -> bool:
        return any(self.suits(weapon) for weapon in sheet_of(combatant).arms)

    def weapon(self, actor: Combatant, wanted: str | None) -> Weapon:
        if wanted is not None:
            named = weapon_named(actor, wanted)
            if not self.suits(named):
                names = [weapon.name for weapon in sheet_of(actor).arms if self.suits(weapon)]
                raise Refusal(
                    "strike/wrong-weapon",
                    f"{named.name} cannot be used for a {self.title}; choose {choices(names)}.",
                    who=actor.id,
                    what=self.name,
                    weapon=named.name,
                    available=names,
                )
            return named
        suitable = [weapon for weapon in sheet_of(actor).arms if self.suits(weapon)]
        return next((weapon for weapon in suitable if has_at_hand(actor, weapon)), suitable[0])

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = one_target(table, actor, declared.targets)
        check_aim(table.battle, actor, target, gripped(actor, target, self.weapon(actor, declared.weapon), declared))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        named, target = self.weapon(actor, declared.weapon), one_target(table, actor, declared.targets)
        take_attack_action(table, actor, self.ref, routine_with(sheet_of(actor), named, far=self.thrown))
        weapon = gripped(actor, target, named, declared)
        table.spend(actor, ATTACKS, 1, self.name, attack_paid_for(self.ref, weapon))
        _strike(table, actor, target, declared, weapon, thrown=self.thrown)


@piece
class MeleeAttack(WeaponAction):
    """Spend the action to gain attacks, and make the first one against somebody within reach."""

    name = "melee_attack"
    options = BlowOptions
    tags = ("attack", "weapon", "melee")

    def suits(self, weapon: Weapon) -> bool:
        return not weapon.is_ranged

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        super().check(table, actor, declared)
        target = one_target(table, actor, declared.targets)
        weapon = self.weapon(actor, declared.weapon)
        feet = feet_between(actor, target)
        if feet > weapon.reach:
            raise Refusal(
                "strike/out-of-reach",
                f"{target.name} is {feet} feet away and {weapon.name} reaches {weapon.reach} feet; move closer, or "
                "throw it with a ranged attack.",
                who=actor.id,
                target=target.id,
                weapon=weapon.name,
                distance=feet,
                reach=weapon.reach,
            )


@piece
class RangedAttack(WeaponAction):
    """Spend the action to gain attacks, and make the first one with a weapon to shoot or throw."""

    name = "ranged_attack"
    tags = ("attack", "weapon", "ranged")
    thrown = True

    def suits(self, weapon: Weapon) -> bool:
        return weapon.range is not None
