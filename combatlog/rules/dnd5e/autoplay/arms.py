"""What combatants attack with: weapons, and cantrips that work like them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from combatlog.rules.dnd5e.abilities.attack import attack_count_chain
from combatlog.rules.dnd5e.archetypes.bolts import Bolt
from combatlog.rules.dnd5e.attack import Attack, make_attack
from combatlog.rules.dnd5e.autoplay.odds import Odds, mean
from combatlog.rules.dnd5e.modifiers import value_of
from combatlog.rules.dnd5e.multiattack import blows, routine_with
from combatlog.rules.dnd5e.powers import check_target
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.targeting import check_aim, weapon_named
from combatlog.rules.dnd5e.weapons import IMPROVISED_WEAPON, Weapon
from combatlog.rules.dnd5e.wielding import MISSING_WEAPONS, is_usable
from combatlog.rules.dnd5e.words import WeaponProperty
from combatlog.rules.engine.refusal import Refusal
from projections.battle import Battle
from projections.combatant import Combatant

Arm = Weapon | Bolt


def attack_with(battle: Battle, arm: Arm, attacker: Combatant, target: Combatant) -> Attack:
    if isinstance(arm, Bolt):
        return arm.attack(battle, attacker, target, {})
    return make_attack(battle, attacker, target, arm)


def weapons_of(combatant: Combatant) -> tuple[Weapon, ...]:
    """Its usual weapons; whoever has thrown all it had throws whatever is at hand."""
    usual = sheet_of(combatant).usual_arms
    if MISSING_WEAPONS not in combatant.conditions:
        return usual
    far = [weapon for weapon in usual if weapon.range is not None]
    return usual if any(is_usable(combatant, weapon) for weapon in far) else (*usual, IMPROVISED_WEAPON)


def arms_of(combatant: Combatant) -> Iterator[Arm]:
    sheet = sheet_of(combatant)
    usable = [weapon for weapon in weapons_of(combatant) if is_usable(combatant, weapon)]
    yield from usable or sheet.arms[-1:]  # unarmed strikes are always left
    yield from (spell for spell in sheet.loadout.spells if isinstance(spell, Bolt) and spell.level == 0)


def can_reach(battle: Battle, arm: Arm, attacker: Combatant, target: Combatant) -> bool:
    """Whether the attack would be legal from where the attacker stands."""
    try:
        if isinstance(arm, Bolt):
            check_target(battle, attacker, arm, target)
        else:
            check_aim(battle, attacker, target, arm)
    except Refusal:
        return False
    return True


def attacks_of_turn(attacker: Combatant, arm: Arm) -> list[tuple[Arm, int]]:
    """What an action that begins with an arm attacks with, and how often: more than the arm itself in a multiattack."""
    if not isinstance(arm, Weapon):
        return [(arm, arm.rays(attacker))]
    sheet = sheet_of(attacker)
    routine = routine_with(sheet, arm, far=arm.is_ranged)
    attacks = value_of(attack_count_chain(attacker, routine))
    if routine is None:
        return [(arm, min(1, attacks) if WeaponProperty.LOADING in arm.properties else attacks)]
    weapons = blows(sheet, routine)
    spare = attacks - len(weapons)  # what a feature or condition adds or takes away
    counted = Counter([*weapons[:attacks], *[arm.name] * max(0, spare)])
    return [(weapon_named(attacker, name), times) for name, times in counted.items()]


def turns_worth(attacker: Combatant, arm: Arm, odds: Callable[[Arm], Odds]) -> float:
    return sum(times * mean(odds(used)) for used, times in attacks_of_turn(attacker, arm))


def shot_range(combatant: Combatant) -> int:
    return max((normal_range(arm) for arm in arms_of(combatant)), default=0)


def farthest(arm: Arm) -> int:
    return arm.range if isinstance(arm, Bolt) else arm.farthest


def normal_range(arm: Arm) -> int:
    if isinstance(arm, Bolt):
        return arm.range
    return max(arm.reach if not arm.is_ranged else 0, arm.range[0] if arm.range else 0)


def longest_blow(arm: Arm) -> int:
    """How far it can strike without shooting, in feet; less than 0 if it can only shoot."""
    return -1 if isinstance(arm, Bolt) or arm.is_ranged else arm.reach
