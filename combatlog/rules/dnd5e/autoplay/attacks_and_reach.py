"""The attacks of a combatant, the squares it can see, and the squares it could attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from combatlog.rules.dnd5e.actions.attack_and_multiattack import attack_count_chain, blows, routine_with
from combatlog.rules.dnd5e.archetypes.bolts_and_beams import Bolt
from combatlog.rules.dnd5e.attack.phases import Attack, make_attack
from combatlog.rules.dnd5e.attack.targeting import check_aim, check_target, weapon_named
from combatlog.rules.dnd5e.attack.wielding import MISSING_WEAPONS, is_usable
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import Odds, mean
from combatlog.rules.dnd5e.battlemap.paths import Terrain, melee_reach, terrain_of, usual_gait, ways_in
from combatlog.rules.dnd5e.battlemap.space import width_of
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import STEP, speed_of
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import IMPROVISED_WEAPON, Weapon
from combatlog.rules.dnd5e.enums import WeaponProperty
from combatlog.rules.dnd5e.modifiers import value_of
from combatlog.rules.engine.grid.squares import SOLID, Grid, PathSearch, block, distance, grid_of
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

AttackMeans = Weapon | Bolt


def attack_with(battle: Battle, arm: AttackMeans, attacker: Combatant, target: Combatant) -> Attack:
    if isinstance(arm, Bolt):
        return arm.attack(battle, attacker, target, {})
    return make_attack(battle, attacker, target, arm)


def weapons_of(combatant: Combatant) -> tuple[Weapon, ...]:
    """Its usual weapons, plus an improvised one if it has no ranged or thrown weapon left."""
    usual = sheet_of(combatant).usual_arms
    if MISSING_WEAPONS not in combatant.conditions:
        return usual
    far = [weapon for weapon in usual if weapon.range is not None]
    return usual if any(is_usable(combatant, weapon) for weapon in far) else (*usual, IMPROVISED_WEAPON)


def attack_means_of(combatant: Combatant) -> Iterator[AttackMeans]:
    sheet = sheet_of(combatant)
    usable = [weapon for weapon in weapons_of(combatant) if is_usable(combatant, weapon)]
    yield from usable or sheet.arms[-1:]  # unarmed strikes are always left
    yield from (spell for spell in sheet.loadout.spells if isinstance(spell, Bolt) and spell.level == 0)


def can_reach(battle: Battle, arm: AttackMeans, attacker: Combatant, target: Combatant) -> bool:
    """Whether the attack would be legal from the attacker's position."""
    try:
        if isinstance(arm, Bolt):
            check_target(battle, attacker, arm, target)
        else:
            check_aim(battle, attacker, target, arm)
    except Refusal:
        return False
    return True


def attacks_of_turn(attacker: Combatant, arm: AttackMeans) -> list[tuple[AttackMeans, int]]:
    """The arms that an action starting with this one uses, and how often; several in a multiattack."""
    if not isinstance(arm, Weapon):
        return [(arm, arm.rays(attacker))]
    sheet = sheet_of(attacker)
    routine = routine_with(sheet, arm, far=arm.is_ranged)
    attacks = value_of(attack_count_chain(attacker, routine))
    if routine is None:
        return [(arm, min(1, attacks) if WeaponProperty.LOADING in arm.properties else attacks)]
    weapons = blows(sheet, routine)
    spare = attacks - len(weapons)  # attacks that a feature or condition adds or takes away
    counted = Counter([*weapons[:attacks], *[arm.name] * max(0, spare)])
    return [(weapon_named(attacker, name), times) for name, times in counted.items()]


def turns_worth(attacker: Combatant, arm: AttackMeans, odds: Callable[[AttackMeans], Odds]) -> float:
    return sum(times * mean(odds(used)) for used, times in attacks_of_turn(attacker, arm))


def shot_range(combatant: Combatant) -> int:
    return max((normal_range(arm) for arm in attack_means_of(combatant)), default=0)


def farthest(arm: AttackMeans) -> int:
    return arm.range if isinstance(arm, Bolt) else arm.farthest


def normal_range(arm: AttackMeans) -> int:
    if isinstance(arm, Bolt):
        return arm.range
    return max(arm.reach if not arm.is_ranged else 0, arm.range[0] if arm.range else 0)


def longest_blow(arm: AttackMeans) -> int:
    """Its melee reach in feet; negative if it can only shoot."""
    return -1 if isinstance(arm, Bolt) or arm.is_ranged else arm.reach


@lru_cache(maxsize=4096)
def visible_from(grid: Grid, place: Position) -> Any:
    """The squares that can be seen from a place, as rows of booleans, without walls.

    An estimate: near corners it may differ from the lines that the rules draw, which are too slow for a whole map.
    """
    import numpy as np
    from tcod import libtcodpy
    from tcod.map import compute_fov

    open_squares = np.array([[square not in SOLID for square in row] for row in grid.rows])
    seen = compute_fov(
        open_squares, (place[1], place[0]), light_walls=False, algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST
    )
    return seen & open_squares


@lru_cache(maxsize=4096)
def sees_from(grid: Grid, place: Position, wide: int, own: int) -> Any:
    """The places from which a creature `own` squares wide sees one that is `wide` squares wide, as rows of booleans."""
    seen = visible_from(grid, place)
    for square in block(place, wide, wide)[1:]:
        if square in grid:
            seen = seen | visible_from(grid, square)
    return touching(seen, own)


def touching(squares: Any, wide: int) -> Any:
    """The places at which a body of this width covers any of the squares, as rows of booleans."""
    import numpy as np

    if wide == 1:
        return squares
    height, width = squares.shape
    padded, span = np.pad(squares, ((0, wide - 1), (0, wide - 1))), range(wide)
    return np.logical_or.reduce([padded[y : y + height, x : x + width] for y in span for x in span])


def known_ways(battle: Battle, mover: Combatant, start: Position) -> PathSearch:
    """The same as `ways_of`, but cached."""
    return _ways(terrain_of(battle, mover, start, usual_gait(battle, mover)))


@lru_cache(maxsize=64)
def _ways(terrain: Terrain) -> PathSearch:
    return ways_in(terrain)


@lru_cache(maxsize=64)
def ways_from(grid: Grid, starts: tuple[Position, ...]) -> PathSearch:
    """The paths from the nearest of some squares, ignoring other combatants."""
    return grid.ways(starts, around_corners=True)


def endangered_squares(battle: Battle, striker: Combatant, target: Combatant) -> Any:
    """The squares that a striker could attack, as rows of booleans; all of them if it has no position. Do not modify.
    The target is ignored as an obstacle, because the question is where it could be.
    """
    import numpy as np

    grid = grid_of(battle.map)
    if striker.position is None:
        return np.ones((grid.height, grid.width), dtype=bool)
    gait = usual_gait(battle, striker)
    steps, reach = speed_of(striker, gait) // STEP, melee_reach(striker) // STEP
    terrain, wide = _within(terrain_of(battle, striker, striker.position, gait, target), steps), width_of(striker)
    return _endangered(terrain, grid, steps, (reach, wide), shot_range(striker) // STEP)


def _within(terrain: Terrain, steps: int) -> Terrain:
    """The terrain without bodies too far away to matter, so that it stays the same wherever they go."""
    near = [frozenset(p for p in bodies if distance(p, terrain.start) <= steps) for bodies in terrain[2:4]]
    return terrain._replace(blocked=near[0], slow=near[1])


@lru_cache(maxsize=256)
def _endangered(terrain: Terrain, grid: Grid, steps: int, reach: tuple[int, int], shot: int) -> Any:
    return _within_a_walk(terrain, steps, *reach) | _within_a_shot(grid, terrain.start, shot)


def _within_a_walk(terrain: Terrain, steps: int, reach: int, wide: int) -> Any:
    """The squares within reach after a walk around walls and enemies. Includes paths that end on an occupied square."""
    return _spread(_ways(terrain).distances[:-1] < 100 * (steps + 1), reach, wide)


def _spread(places: Any, steps: int, wide: int) -> Any:
    """The squares that a body covers at these places, and those around them."""
    import numpy as np

    height, width = places.shape
    before = steps + wide - 1
    padded, span = np.pad(places, ((before, steps), (before, steps))), range(before + steps + 1)
    return np.logical_or.reduce([padded[y : y + height, x : x + width] for y in span for x in span])


def _within_a_shot(grid: Grid, place: Position, steps: int) -> Any:
    import numpy as np

    near = np.zeros((grid.height, grid.width), dtype=bool)
    x, y = place
    near[max(0, y - steps) : y + steps + 1, max(0, x - steps) : x + steps + 1] = True
    return near & visible_from(grid, place)
