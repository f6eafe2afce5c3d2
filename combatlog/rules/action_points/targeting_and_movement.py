"""The target of an action, its weapon and reach, and moving in metres.

Entering a square takes one metre, or two on difficult ground.
"""

from __future__ import annotations

from combatlog.rules.action_points.economy_and_vitality import is_dead
from combatlog.rules.action_points.equipment import ActionPointsWeapon
from combatlog.rules.action_points.sheet import KNOWN_WEAPONS, sheet_of
from combatlog.rules.engine.grid.pathfinding import way_to
from combatlog.rules.engine.grid.squares import Grid, distance, grid_of
from combatlog.rules.engine.grid.visible_paths import as_seen, left_out, require_clear
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant

DISARMED = "action_points:condition:disarmed"
FISTS = ActionPointsWeapon.model_validate({"name": "fists", **KNOWN_WEAPONS["fists"]})
"""A weapon that every combatant has and cannot lose."""


def opponent(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """The only target of the declaration, which has to be another combatant."""
    target = _only_target(table, declared)
    if target is actor:
        raise Refusal("target/self", f"{actor.name} cannot target itself with that; name another target.", who=actor.id)
    return target


def beneficiary(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    """The only target of the declaration, or the actor itself if there is none."""
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
        raise Refusal("target/dead", f"{target.name} is dead; name another target.", target=target.id)
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
    """The distance in metres, one per square; 0 in a fight without positions."""
    if one.position is None or other.position is None:
        return 0
    return distance(one.position, other.position)


# Weapons


def held_weapons(combatant: Combatant) -> list[ActionPointsWeapon]:
    """The weapons in hand: those on the sheet, except those it was disarmed of. A ruling disarms it of all of them."""
    held, weapons = combatant.conditions.get(DISARMED), sheet_of(combatant).weapons
    lost = held.data.get("weapons", [weapon.name for weapon in weapons]) if held else ()
    return [weapon for weapon in weapons if weapon.name not in lost]


def choose_weapon(actor: Combatant, wanted: str | None, *, melee: bool = False) -> ActionPointsWeapon:
    """The named weapon, or the first one in hand. Fists are always available."""
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


def parrying_weapon(combatant: Combatant) -> ActionPointsWeapon | None:
    return next((weapon for weapon in held_weapons(combatant) if weapon.is_melee), None)


def weapon_ref(weapon: ActionPointsWeapon) -> str:
    return f"action_points:weapon:{weapon.name.replace(' ', '_')}"


def way_within(table: Table, mover: Combatant, declared: Declared, metres: int) -> list[Position]:
    """The path to the destination. Refuses one that is longer than this many metres."""
    seen = as_seen(table.battle, mover, declared)
    way = way_to(seen, mover, declared.destination)
    needed = length(grid_of(table.battle.map), way)
    if needed > metres:
        raise Refusal(
            "move/too-far",
            f"The path is {needed} m long, and {mover.name} can move {metres} m that way; choose a nearer square.",
            who=mover.id,
            position=declared.destination,
            needed=needed,
            available=metres,
        )
    for other in left_out(table.battle, seen):
        require_clear(way, other, [other.position] if other.position is not None else [])
    return way


def length(grid: Grid, way: list[Position]) -> int:
    return sum(_metres(grid, square) for square in way)


def walk(table: Table, mover: Combatant, way: list[Position]) -> None:
    grid = grid_of(table.battle.map)
    for square in way:
        table.move(mover, square, _metres(grid, square))


def push(table: Table, victim: Combatant, away_from: Position, metres: int) -> None:
    """Push the victim straight away from a place, until an obstacle stops it."""
    grid = grid_of(table.battle.map)
    for _ in range(metres):
        assert victim.position is not None
        x, y = victim.position
        square = (x + _sign(x - away_from[0]), y + _sign(y - away_from[1]))
        if not grid.is_open(square) or table.battle.at(square) is not None:
            return
        table.move(victim, square, forced=True)


def _metres(grid: Grid, square: Position) -> int:
    return 2 if grid.is_difficult(square) else 1


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
