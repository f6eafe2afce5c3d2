"""Whom and with what: the checks that attacks share."""

from __future__ import annotations

from collections import Counter

from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.contexts import feet_between
from rules.dnd5e.sheet import Weapon, sheet_of
from rules.dnd5e.sight import has_line
from rules.dnd5e.state import contributors_of, is_dead
from rules.engine.options import Said
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Table


def one_target(table: Table, actor: Combatant, targets: tuple[str, ...]) -> Combatant:
    if len(targets) != 1:
        raise Refusal("strike/one-target", "A strike has one target; name it with --target.")
    target = table.combatant(targets[0])
    if target is actor:
        raise Refusal("strike/self", f"{actor.id} cannot strike itself; name somebody else with --target.")
    if is_dead(target):
        raise Refusal("strike/dead", f"{target.id} is dead already; name somebody else with --target.")
    return target


def check_named_once(what: str, said: Said) -> None:
    """Refuse a target that is named twice where that has no effect."""
    for target, times in Counter(said.targets).items():
        if times > 1:
            raise Refusal(
                "declaration/target-twice", f"{target} is named twice; name each target once.", what=what, target=target
            )


def weapon_named(actor: Combatant, wanted: str | None) -> Weapon:
    """The weapon that was named, or the first on the sheet."""
    weapons = sheet_of(actor).weapons
    for weapon in weapons:
        if wanted is None or weapon.name == wanted:
            return weapon
    raise Refusal(
        "strike/no-weapon",
        f"{actor.id} has no weapon {wanted!r}; it has {choices(weapon.name for weapon in weapons)}."
        if wanted
        else f"{actor.id} has no weapon to strike with.",
    )


def melee_weapon(actor: Combatant, wanted: str | None = None) -> Weapon | None:
    """The first weapon to strike with at arm's length, or the one that is named."""
    named = [weapon for weapon in sheet_of(actor).weapons if wanted in (None, weapon.name)]
    return next((weapon for weapon in named if not weapon.is_ranged), None)


def check_aim(battle: Battle, actor: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse a target that is out of reach, behind a wall, or that one of the actor's conditions protects."""
    feet = feet_between(actor, target)
    if feet > weapon.farthest:
        raise Refusal(
            "strike/out-of-reach",
            f"{target.id} is {feet} feet away and {actor.id}'s {weapon.name} reaches {weapon.farthest}; "
            f"move closer (`combatlog do ... {actor.id} move --to X,Y`).",
        )
    check_line(battle, actor, target)
    check_allowed(actor, target)


def check_line(battle: Battle, actor: Combatant, target: Combatant) -> None:
    if not has_line(battle, actor, target):
        raise Refusal(
            "target/no-line-of-sight",
            f"There is a wall between {actor.id} and {target.id}; move to where it can be seen.",
        )


def check_allowed(actor: Combatant, target: Combatant) -> None:
    for contributor in contributors_of(actor):
        why = contributor.forbids_target(actor, target)
        if why is not None:
            raise Refusal("target/forbidden", f"{why}; name somebody else with --target.")


def can_aim(battle: Battle, actor: Combatant, target: Combatant, weapon: Weapon) -> bool:
    try:
        check_aim(battle, actor, target, weapon)
    except Refusal:
        return False
    return True
