"""Targets and range: checks shared by weapon attacks, spells and special actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from combatlog.rules.dnd5e.attack.damage import inflict, roll_damage, taken_chain
from combatlog.rules.dnd5e.attack.wielding import check_wielded, has_at_hand
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import has_line, in_line_of_sight
from combatlog.rules.dnd5e.battlemap.space import squares_of, steps_to
from combatlog.rules.dnd5e.combatant_state import can_act, is_cut_off, is_dead, is_hostile, those_with
from combatlog.rules.dnd5e.contexts import Attack, Harm, feet_between
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import (
    IMPROVISED_WEAPON,
    UNARMED,
    UNARMED_STRIKE,
    ExtraDamage,
    Weapon,
)
from combatlog.rules.dnd5e.enums import AbilityScore, DamageType, WeaponProperty
from combatlog.rules.dnd5e.modifiers import STAGES, dice
from combatlog.rules.dnd5e.pieces import Activity, Contributor
from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.options_and_validation import DeclaredParts
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def one_target(table: Table, actor: Combatant, targets: tuple[str, ...]) -> Combatant:
    if len(targets) != 1:
        named = f"{len(targets)} were named" if targets else "none was named"
        raise Refusal(
            "strike/one-target", f"A strike takes one target; {named}.", who=actor.id, needed=1, found=list(targets)
        )
    target = table.combatant(targets[0])
    if target is actor:
        raise Refusal("strike/self", f"{actor.name} cannot strike itself; name another target.", who=actor.id)
    if is_dead(target):
        raise Refusal("strike/dead", f"{target.name} is dead; name another target.", who=actor.id, target=target.id)
    return target


def check_named_once(what: str, said: DeclaredParts) -> None:
    """Refuse a target that is named more than once."""
    for target, times in Counter(said.targets).items():
        if times > 1:
            raise Refusal(
                "declaration/target-twice",
                f"{target} is named {'twice' if times == 2 else f'{times} times'}; name each target once.",
                what=what,
                target=target,
            )


def weapon_named(actor: Combatant, wanted: str | None) -> Weapon:
    """The named weapon, or else the first one on the sheet that is at hand."""
    weapons = sheet_of(actor).arms
    for weapon in weapons:
        if weapon.name == wanted or (wanted is None and has_at_hand(actor, weapon)):
            return weapon
    if wanted == IMPROVISED_WEAPON.name:
        return IMPROVISED_WEAPON
    names = [weapon.name for weapon in weapons]
    raise Refusal(
        "strike/no-weapon",
        f"{actor.name} has no weapon {wanted!r}; choose {choices(names)}.",
        who=actor.id,
        weapon=wanted,
        available=names,
        suggestions=suggest(wanted or "", names),
    )


def melee_weapons(actor: Combatant) -> list[Weapon]:
    """The actor's melee weapons, by average damage, the best first."""
    sheet = sheet_of(actor)
    held = [weapon for weapon in sheet.usual_arms if not weapon.is_ranged and has_at_hand(actor, weapon)]
    return sorted(held, key=lambda arm: -_force(sheet, arm)) or [sheet.weapon(UNARMED) or UNARMED_STRIKE]


def melee_weapon(actor: Combatant) -> Weapon | None:
    """The actor's best melee weapon."""
    return next(iter(melee_weapons(actor)), None)


def _force(sheet: Sheet, weapon: Weapon) -> float:
    thrown = [weapon.damage, *(extra.damage for extra in weapon.extra)]
    average = sum(parse(dice).average for dice in thrown)
    if weapon.to_hit is not None:
        return average
    abilities = [AbilityScore.STR, *([AbilityScore.DEX] if WeaponProperty.FINESSE in weapon.properties else [])]
    return average + max(map(sheet.modifier, abilities)) + weapon.bonus


def check_aim(battle: Battle, actor: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse a target that is out of reach, behind a wall, or forbidden by one of the actor's conditions."""
    feet = feet_between(actor, target)
    if feet > weapon.farthest:
        raise Refusal(
            "strike/out-of-reach",
            f"{target.name} is {feet} feet away and {actor.name}'s {weapon.name} reaches {weapon.farthest} feet; "
            "move closer.",
            who=actor.id,
            target=target.id,
            weapon=weapon.name,
            distance=feet,
            reach=weapon.farthest,
        )
    check_wielded(battle, actor, weapon)
    check_line(battle, actor, target)
    check_allowed(actor, target)


def check_line(battle: Battle, actor: Combatant, target: Combatant) -> None:
    for one in (actor, target):
        if is_cut_off(one):
            raise Refusal(
                "target/cut-off",
                f"{one.name} is cut off from everyone else, so {actor.name} cannot aim at {target.name}.",
                who=actor.id,
                target=target.id,
                cut_off=one.id,
            )
    if not has_line(battle, actor, target):
        raise Refusal(
            "target/no-line-of-sight",
            f"A wall stands between {actor.name} and {target.name}; move to where {target.name} is in sight.",
            who=actor.id,
            target=target.id,
        )


def check_allowed(actor: Combatant, target: Combatant) -> None:
    for contributor in those_with(Contributor.forbids_target, actor):
        why = contributor.forbids_target(actor, target)
        if why is not None:
            raise Refusal("target/forbidden", f"{why}; name another target.", who=actor.id, target=target.id)


def can_aim(battle: Battle, actor: Combatant, target: Combatant, weapon: Weapon) -> bool:
    try:
        check_aim(battle, actor, target, weapon)
    except Refusal:
        return False
    return True


def ally_beside(attack: Attack, owner: Combatant) -> Combatant | None:
    """An ally of the owner that can act and is within 5 feet of the attack's target. Bystanders are no allies."""
    return next((other for other in _others_beside(attack, owner) if other.side == owner.side), None)


def enemy_beside(attack: Attack, owner: Combatant) -> Combatant | None:
    """An enemy of the attack's target, other than the owner, that can act and is within 5 feet of the target."""
    return next((other for other in _others_beside(attack, owner) if is_hostile(attack.target, other)), None)


def _others_beside(attack: Attack, owner: Combatant) -> Iterator[Combatant]:
    for other in attack.battle.present():
        if other is owner or other is attack.target or not can_act(other):
            continue
        if feet_between(other, attack.target) <= 5:
            yield other


class Power(Activity):
    """Something with a range and, if it allows a save, a DC."""

    range: int
    minutes: int = 1
    """How long it lasts at most if it takes concentration."""

    def check_said(self, said: DeclaredParts) -> None:
        check_named_once(self.name, said)

    def difficulty(self, actor: Combatant) -> int:
        """The DC of saves against it."""
        raise NotImplementedError(f"{self.ref} has no difficulty")

    def steps(self, options: Data) -> int:
        """The number of levels by which the slot exceeds its own level."""
        return 0


# Targets


def chosen_targets(table: Table, actor: Combatant, power: Power, declared: Declared, most: int) -> list[Combatant]:
    """The named targets, each once. Refuses too many, and those that are dead, out of range or out of sight."""
    targets = [table.combatant(name) for name in dict.fromkeys(declared.targets)]
    if not 1 <= len(targets) <= most:
        takes = "one target" if most == 1 else f"1 to {most} targets"
        named = f"{len(targets)} were named" if targets else "none was named"
        raise Refusal(
            f"{power.type}/targets",
            f"{power.title} takes {takes}; {named}.",
            who=actor.id,
            what=power.name,
            needed=most,
            found=[target.id for target in targets],
        )
    for target in targets:
        check_target(table.battle, actor, power, target)
    return targets


def check_target(battle: Battle, actor: Combatant, power: Power, target: Combatant) -> None:
    feet = feet_between(actor, target)
    if feet > power.range:
        raise Refusal(
            f"{power.type}/out-of-range",
            f"{target.name} is {feet} feet away and {power.title} reaches {power.range} feet; move closer.",
            who=actor.id,
            what=power.name,
            target=target.id,
            distance=feet,
            reach=power.range,
        )
    if is_dead(target):
        raise Refusal(
            f"{power.type}/dead",
            f"{target.name} is dead; name another target.",
            who=actor.id,
            what=power.name,
            target=target.id,
        )
    if target is not actor:
        check_line(battle, actor, target)


def check_harmful(actor: Combatant, targets: Sequence[Combatant]) -> None:
    for target in targets:
        check_allowed(actor, target)


def chosen_place(
    battle: Battle, actor: Combatant, power: Power, place: Position | None, *, unseen: bool = False
) -> Position:
    """The named square. It has to be on the map, in range and, unless it may be unseen, in sight."""
    if actor.position is None:
        raise _misplaced(
            "no-place",
            f"{actor.name} has no place on the map to use {power.title} from; a ruling can give it one",
            actor,
            power,
        )
    if place is None:
        raise _misplaced("no-place", f"{power.title} needs a destination; choose a square of the map", actor, power)
    grid, at, feet = grid_of(battle.map), f"{place[0]},{place[1]}", 5 * steps_to(actor, place)
    if place not in grid or not grid.is_open(place):
        raise _misplaced(
            "place", f"{at} is not an open square of the map; choose another", actor, power, destination=place
        )
    if feet > power.range:
        too_far = f"{at} is {feet} feet away and {power.title} reaches {power.range} feet; choose a nearer square"
        raise _misplaced("out-of-range", too_far, actor, power, destination=place, distance=feet, reach=power.range)
    if not unseen and not any(in_line_of_sight(grid, square, place) for square in squares_of(actor)):
        raise Refusal(
            "target/no-line-of-sight",
            f"{actor.name} cannot see {at}; choose another square.",
            who=actor.id,
            what=power.name,
            destination=place,
        )
    return place


def _misplaced(code: str, problem: str, actor: Combatant, power: Power, **facts: Any) -> Refusal:
    return Refusal(f"{power.type}/{code}", f"{problem}.", who=actor.id, what=power.name, **facts)


# Damage


def damage_of(
    power: Power, dealer: Combatant, notation: str, kind: DamageType, extra: Sequence[ExtraDamage] = ()
) -> ModifierChain:
    thrown = [(notation, kind), *((more.damage, more.damage_type) for more in extra)]
    told = [dice("base", power.ref, dealer.id, power.title, text, type) for text, type in thrown]
    return ModifierChain("damage", STAGES, told)


def harm_one(table: Table, harm: Harm, chain: ModifierChain, purpose: str = "damage") -> None:
    """Roll damage for one target and apply what gets through."""
    chain.record(table)
    taken = taken_chain(harm)
    taken.record(table)
    inflict(table, harm, roll_damage(table, harm.dealt_by, chain, purpose), taken)
