"""Targets and weapons: the checks that attacks share."""

from __future__ import annotations

from collections import Counter

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.sight import has_line
from combatlog.rules.dnd5e.state import is_cut_off, is_dead, those_with
from combatlog.rules.dnd5e.weapons import IMPROVISED_WEAPON, UNARMED, UNARMED_STRIKE, Weapon
from combatlog.rules.dnd5e.wielding import check_wielded, has_at_hand
from combatlog.rules.dnd5e.words import AbilityScore, WeaponProperty
from combatlog.rules.engine.dice import parse
from combatlog.rules.engine.options import Said
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.table import Table
from projections.battle import Battle
from projections.combatant import Combatant


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


def check_named_once(what: str, said: Said) -> None:
    """Refuse a target that is named more than once to no effect."""
    for target, times in Counter(said.targets).items():
        if times > 1:
            raise Refusal(
                "declaration/target-twice",
                f"{target} is named {'twice' if times == 2 else f'{times} times'}; name each target once.",
                what=what,
                target=target,
            )


def weapon_named(actor: Combatant, wanted: str | None) -> Weapon:
    """The weapon that was named, or else the first on the sheet that is at hand."""
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
    """Its melee weapons, the best first: the one whose hits hurt most, on average."""
    sheet = sheet_of(actor)
    held = [weapon for weapon in sheet.usual_arms if not weapon.is_ranged and has_at_hand(actor, weapon)]
    return sorted(held, key=lambda arm: -_force(sheet, arm)) or [sheet.weapon(UNARMED) or UNARMED_STRIKE]


def melee_weapon(actor: Combatant) -> Weapon | None:
    """Its best melee weapon."""
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
                f"{one.name} is cut off from everybody else, so {actor.name} cannot aim at {target.name}.",
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
