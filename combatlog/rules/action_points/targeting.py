"""Who the target of an action is, which weapon it uses, and whether it reaches that far."""

from __future__ import annotations

from combatlog.rules.action_points.equipment import Weapon
from combatlog.rules.action_points.sheet import KNOWN_WEAPONS, sheet_of
from combatlog.rules.action_points.vitality import is_dead
from combatlog.rules.engine.grid import distance
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

DISARMED = "action_points:condition:disarmed"
FISTS = Weapon.model_validate({"name": "fists", **KNOWN_WEAPONS["fists"]})
"""A weapon that everybody has and nobody can lose."""


def opponent(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """The one other combatant that the declaration names."""
    target = _only_target(table, declared)
    if target is actor:
        raise Refusal("target/self", f"{actor.name} cannot do that to itself; name somebody else.", who=actor.id)
    return target


def beneficiary(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """The one combatant that the declaration names, or the actor itself."""
    return _only_target(table, declared) if declared.targets else actor


def _only_target(table: Table, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        raise Refusal(
            "target/one",
            f"That takes exactly one target, and {len(declared.targets) or 'none'} "
            f"{'were' if declared.targets else 'was'} named.",
            needed=1,
            found=list(declared.targets),
        )
    target = table.combatant(declared.targets[0])
    if is_dead(target):
        raise Refusal("target/dead", f"{target.name} is dead; name somebody else.", target=target.id)
    return target


def require_reach(actor: Combatant, target: Combatant, farthest: int, what: str) -> None:
    metres = metres_between(actor, target)
    if metres > farthest:
        raise Refusal(
            "target/out-of-reach",
            f"{target.name} is {metres} m away, and {actor.name}'s {what} reaches {farthest} m; move closer first.",
            who=actor.id,
            target=target.id,
            what=what,
            distance=metres,
            reach=farthest,
        )


def metres_between(one: Combatant, other: Combatant) -> int:
    """A square is a metre wide. 0 in a fight without positions."""
    if one.position is None or other.position is None:
        return 0
    return distance(one.position, other.position)


# Weapons


def held_weapons(combatant: Combatant) -> list[Weapon]:
    """The weapons in hand: those on the sheet, except those it was disarmed of."""
    held = combatant.conditions.get(DISARMED)
    lost = held.data["weapons"] if held else ()
    return [weapon for weapon in sheet_of(combatant).weapons if weapon.name not in lost]


def choose_weapon(actor: Combatant, wanted: str | None, *, melee: bool = False) -> Weapon:
    """The weapon that was named, or the first one in hand. Fists are always available."""
    fitting = [weapon for weapon in [*held_weapons(actor), FISTS] if weapon.is_melee or not melee]
    for weapon in fitting:
        if wanted is None or weapon.name == wanted:
            return weapon
    names = [weapon.name for weapon in fitting]
    raise Refusal(
        "weapon/not-in-hand",
        f"{actor.name} cannot use {wanted!r} for that; it can use {choices(names)}.",
        who=actor.id,
        weapon=wanted,
        available=names,
        suggestions=suggest(wanted or "", names),
    )


def parrying_weapon(combatant: Combatant) -> Weapon | None:
    return next((weapon for weapon in held_weapons(combatant) if weapon.is_melee), None)


def weapon_ref(weapon: Weapon) -> str:
    return f"action_points:weapon:{weapon.name.replace(' ', '_')}"
