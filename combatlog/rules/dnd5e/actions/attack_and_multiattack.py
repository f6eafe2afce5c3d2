"""The Attack action and the attacks it buys, multiattack, and weapon strikes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from combatlog.rules.dnd5e.attack.phases import make_attack, resolve_attack
from combatlog.rules.dnd5e.attack.targeting import check_aim, one_target, weapon_named
from combatlog.rules.dnd5e.attack.wielding import attack_paid_for, check_loaded, has_at_hand
from combatlog.rules.dnd5e.combatant_state import conditions_of, those_with
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_end_of_turn
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.creatures.sheet import Routine, Sheet, sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ACTION, ATTACKS
from combatlog.rules.dnd5e.modifiers import STAGES, bonus, record_if_modified, value_of
from combatlog.rules.dnd5e.pieces import Ability, Action, Contributor, piece
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant

STRIKE = "dnd5e:action:strike"


def routine_with(sheet: Sheet, weapon: Weapon, *, far: bool = False) -> Routine | None:
    """The multiattack that includes a weapon; at a distance, preferably one made up of ranged attacks only.
    None if the sheet's multiattack is just a number. A weapon that is in no multiattack is used once.
    """
    if not sheet.routines:
        return None
    having = [routine for routine in sheet.routines if weapon.name in routine]
    from_afar = [routine for routine in having if far and _is_made_from_afar(sheet, routine)]
    return next(iter([*from_afar, *having]), {weapon.name: 1})


def _is_made_from_afar(sheet: Sheet, routine: Routine) -> bool:
    return all(arm.range is not None for name in routine if (arm := sheet.weapon(name)) is not None)


def numbered_routine(actor: Combatant, number: int | None) -> Routine | None:
    """A multiattack by its number on the sheet, from 1; the first if omitted."""
    routines = sheet_of(actor).routines
    if number is None:
        return routines[0] if routines else None
    if not 1 <= number <= len(routines):
        raise Refusal(
            "attack/no-multiattack",
            f"{actor.name} has {len(routines) or 'no'} multiattacks to choose from, so number {number} does not exist.",
            who=actor.id,
            found=number,
            available=list(range(1, len(routines) + 1)),
        )
    return routines[number - 1]


def blows(sheet: Sheet, routine: Routine) -> list[str]:
    """The weapons of a multiattack, each repeated as often as it is used."""
    return [name for name, times in routine.items() if sheet.weapon(name) is not None for _ in range(times)]


def maneuvers(sheet: Sheet, routine: Routine) -> Iterator[str]:
    """The refs of the actions in a multiattack, each repeated as often as it is used."""
    known = {
        piece.name: piece.ref for piece in (*sheet.loadout.actions, *sheet.loadout.features, *sheet.loadout.spells)
    }
    for name, times in routine.items():
        if sheet.weapon(name) is None:
            yield from [known[name]] * times


# The strikes left of a multiattack


def weapon_to_strike_with(actor: Combatant, wanted: str | None) -> str | None:
    """The named weapon, or else the next one of the multiattack; None for any weapon."""
    if wanted is not None or not actor.granted:
        return wanted
    return next(iter(_left(actor)), None)


def is_in_multiattack(actor: Combatant, weapon: str) -> bool:
    """Whether one of the remaining strikes can be made with this weapon."""
    left = _left(actor)
    return weapon in left or None in left or actor.economy.left(ATTACKS) > len(left)


def check_in_multiattack(actor: Combatant, wanted: str | None) -> None:
    """Refuse a weapon for which no strike is left."""
    if wanted is None or is_in_multiattack(actor, wanted):
        return
    available = [name for name in dict.fromkeys(_left(actor)) if name is not None]
    raise Refusal(
        "strike/not-in-multiattack",
        f"{actor.name} has no strike with {wanted} left; choose {choices(available)}.",
        who=actor.id,
        weapon=wanted,
        available=available,
    )


def _left(actor: Combatant) -> list[str | None]:
    return [grant.weapon for grant in actor.granted_actions(STRIKE)]


class AttackAbilityOptions(Options):
    multiattack: int | None = Field(default=None, description="the number of the multiattack; the first if omitted")


@piece
class AttackAbility(Ability):
    """Spend the action to gain attacks, each made with a Strike."""

    name = "attack"
    cost = {ACTION: 1}
    tags = ("attack",)
    options = AttackAbilityOptions

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        _chosen(actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        take_attack_action(table, actor, self.ref, _chosen(actor, declared))


def _chosen(actor: Combatant, declared: Declared) -> Routine | None:
    return numbered_routine(
        actor, AttackAbilityOptions.read(declared.options).multiattack if declared.options else None
    )


def take_attack_action(table: Table, actor: Combatant, source: str, routine: Routine | None) -> None:
    """Gain the attacks that an action buys, a Strike for each, and the other actions of the multiattack."""
    chain = attack_count_chain(actor, routine)
    record_if_modified(table, chain)
    attacks = max(0, value_of(chain))
    if attacks:
        table.gain(actor, ATTACKS, attacks, "attack")
    until = until_end_of_turn(actor)
    weapons = blows(sheet_of(actor), routine) if routine is not None else []
    for number in range(attacks):
        weapon = weapons[number] if number < len(weapons) else None
        table.grant(actor, STRIKE, source=source, until=until, weapon=weapon)
    for action in maneuvers(sheet_of(actor), routine or {}):
        table.grant(actor, action, source=source, until=until)


def attack_count_chain(actor: Combatant, routine: Routine | None = None) -> ModifierChain:
    """The number of attacks from an Attack action, with this multiattack or else the sheet's number or first one."""
    sheet = sheet_of(actor)
    if routine is None and sheet.routines:
        routine = sheet.routines[0]
    attacks = sheet.multiattack if isinstance(sheet.multiattack, int) else len(blows(sheet, routine or {}))
    chain = ModifierChain(
        "attacks", STAGES, [bonus("base", "dnd5e:ability:attack", actor.id, "the Attack action", attacks)]
    )
    for contributor in those_with(Contributor.on_attack_count, actor):
        chain.add(*contributor.on_attack_count(actor))
    slow = next((held for held in conditions_of(actor) if held.one_attack), None) if actor.conditions else None
    if slow is not None and (more := value_of(chain) - 1) > 0:
        chain.add(bonus("conditions", slow.ref, actor.id, f"{actor.name} is {slow.title}", -more))
    return chain


class BlowOptions(Options):
    knock_out: bool = Field(
        default=False, description="knock the target out instead of killing it at 0 hit points; melee attacks only"
    )
    two_hands: bool = Field(default=False, description="use a versatile weapon with both hands, for more damage")


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
    """The weapon of a strike: the named one, or the next of the multiattack."""
    return weapon_named(actor, weapon_to_strike_with(actor, declared.weapon))


def gripped(actor: Combatant, target: Combatant, weapon: Weapon, declared: Declared) -> Weapon:
    """The weapon as it is used: a versatile one in both hands, if declared so and not thrown."""
    if not declared.options or not BlowOptions.read(declared.options).two_hands:
        return weapon
    if weapon.range is not None and (_is_thrown(declared) or feet_between(actor, target) > weapon.reach):
        return weapon
    if weapon.in_two_hands is None:
        raise Refusal(
            "strike/not-versatile",
            f"{weapon.name} is not a versatile weapon; omit the option to use both hands.",
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
    """The Attack action and its first Strike in one declaration, for combatants with a suitable weapon."""

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
    """Spend the action to gain attacks, and make the first one against a target within reach."""

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
    """Spend the action to gain attacks, and make the first one with a ranged or thrown weapon."""

    name = "ranged_attack"
    tags = ("attack", "weapon", "ranged")
    thrown = True

    def suits(self, weapon: Weapon) -> bool:
        return weapon.range is not None
