"""Paths: where a creature can go, by which path, and the cost of each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from combatlog.rules.dnd5e.battlemap.space import (
    RIDING,
    full_width,
    level_of,
    others_in,
    squares_of,
    steps_towards,
    width_of,
)
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import (
    STEP,
    Gait,
    ground_for,
    has_gait,
    places_for,
    rough_squares,
)
from combatlog.rules.dnd5e.combatant_state import can_act, is_dead, is_hostile, those_with
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import DIAGONALS, REACTION
from combatlog.rules.dnd5e.hazards_and_optional_rules import has_costly_diagonals
from combatlog.rules.dnd5e.modifiers import STAGES
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.engine.grid.pathfinding import already_there, ends_of, no_way, not_open, occupied, quietest_path
from combatlog.rules.engine.grid.squares import Grid, PathSearch, barring, block, grid_of, is_diagonal, places_over
from combatlog.rules.engine.grid.visible_paths import as_seen, left_out, require_clear
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import ModifierChain
from ledger.events import Declared, Position
from projections.battle.clock_and_map import CLIFF, WATER
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def find_path(battle: Battle, mover: Combatant, goal: Position | None, gait: Gait = Gait.WALK) -> list[Position]:
    """The path to a square: around enemies and walls, through allies, but never ending on an occupied square.

    Among the shortest paths, it takes one that leaves the reach of as few enemies as possible.
    """
    start, end = ends_of(mover, goal)
    if start == end:
        raise already_there(mover, end)
    require_room(battle, mover, end, gait)
    terrain = terrain_of(battle, mover, start, gait)
    plain = _plain_path(terrain, end)
    if not plain:
        raise no_way(mover, end)
    provoked = provocations(battle, mover)
    if provoked is None or not any(provoked(*step) for step in pairwise([start, *plain])):
        return list(plain)
    return quietest_path(ways_in(terrain), start, end, provoked)


@lru_cache(maxsize=64)
def _plain_path(terrain: Terrain, goal: Position) -> tuple[Position, ...]:
    """A shortest path. Cached, because each move asks for it several times: when chosen, checked and made."""
    return tuple(ways_in(terrain).path(goal))


def path_via(
    battle: Battle, mover: Combatant, via: Sequence[Position], goal: Position | None, gait: Gait = Gait.WALK
) -> list[Position]:
    """The path to a square via others, in order. Only the last one has to be free."""
    if not via:
        return find_path(battle, mover, goal, gait)
    find_path(battle, mover, goal, gait)
    assert mover.position is not None
    assert goal is not None
    path: list[Position] = []
    for place in (*via, goal):
        start = path[-1] if path else mover.position
        leg = ways_of(battle, mover, start, gait).path(place) if place in grid_of(battle.map) else []
        if not leg and place != start:
            raise Refusal(
                "move/no-way-via",
                f"{mover.name} has no way from {start[0]},{start[1]} to {place[0]},{place[1]}.",
                who=mover.id,
                destination=place,
            )
        path += leg
    return path


def path_declared(battle: Battle, mover: Combatant, declared: Declared, gait: Gait = Gait.WALK) -> list[Position]:
    """The path to a declared destination, found with what the player's side sees; refused if it is not really clear."""
    return path_seen(battle, as_seen(battle, mover, declared), mover, declared.destination, gait)


def path_seen(
    battle: Battle, seen: Battle, mover: Combatant, goal: Position | None, gait: Gait = Gait.WALK
) -> list[Position]:
    """The path found in the state as seen, refused if it is not clear in the actual one."""
    path = find_path(seen, mover, goal, gait)
    require_clear_path(battle, seen, mover, path, gait)
    return path


def require_clear_path(
    battle: Battle, seen: Battle, mover: Combatant, path: Sequence[Position], gait: Gait = Gait.WALK
) -> None:
    """Refuse a path that runs into a combatant missing from the state in which it was found."""
    hidden = left_out(battle, seen)
    everybody = _bodies(battle, mover) if hidden else frozenset()
    for other in hidden:
        require_clear(path, other, everybody - _bodies(battle, mover, other))
    if hidden and path:
        require_room(battle, mover, path[-1], gait)


def _bodies(battle: Battle, mover: Combatant, without: Combatant | None = None) -> frozenset[Position]:
    """The squares where others block the mover or slow it down."""
    blocked, slow = bodies_in_the_way(battle, mover, without)
    return frozenset((*blocked, *slow))


def require_room(battle: Battle, mover: Combatant, goal: Position, gait: Gait = Gait.WALK) -> None:
    """Refuse a place where a creature cannot stop: its space, or one a square narrower, has to be open and free."""
    ground, wide = ground_for(battle, mover, gait), full_width(mover)
    if sheet_of(mover).is_incorporeal:
        ground = grid_of(battle.map)  # it passes through walls, but does not stop in them
    narrowest = max(1, wide - 1)
    if not all(ground.is_open(square) for square in block(goal, narrowest, narrowest)):
        raise not_open(goal)
    others = crowding(battle, mover, goal, narrowest)
    if others:
        theirs = squares_of(others[0])
        raise occupied(next(square for square in block(goal, wide, wide) if square in theirs), others[0])


class Terrain(NamedTuple):
    """Everything that paths depend on. It stays the same across turns as long as no combatant moves."""

    grid: Grid
    start: Position
    blocked: frozenset[Position]
    slow: frozenset[Position]
    diagonal: int


def terrain_of(
    battle: Battle, mover: Combatant, start: Position, gait: Gait, without: Combatant | None = None
) -> Terrain:
    """The terrain for the mover from a place, optionally ignoring one combatant."""
    blocked, slow = bodies_in_the_way(battle, mover, without)
    return Terrain(places_for(battle, mover, gait), start, frozenset(blocked), frozenset(slow), diagonal_cost(battle))


def ways_in(terrain: Terrain) -> PathSearch:
    return terrain.grid.ways(
        (terrain.start,), terrain.blocked, slow=terrain.slow, diagonal=terrain.diagonal, around_corners=True
    )


def ways_of(battle: Battle, mover: Combatant, start: Position, gait: Gait = Gait.WALK) -> PathSearch:
    """The paths open to the mover: around enemies, walls and their corners, and more slowly through allies."""
    return ways_in(terrain_of(battle, mover, start, gait))


def provocations(battle: Battle, mover: Combatant) -> Callable[[Position, Position], int] | None:
    """A function that counts the opportunity attacks that a step could provoke; None if no enemy could make one."""
    watching = [
        (steps_towards(mover, other), reach)
        for other in battle.present()
        if other.position is not None
        and is_hostile(mover, other)
        and can_act(other)
        and other.economy.left(REACTION)
        and (reach := melee_reach(other) // STEP)
    ]
    if not watching:
        return None

    def provoked(origin: Position, to: Position) -> int:
        return sum([steps_from(origin) <= reach < steps_from(to) for steps_from, reach in watching])

    return provoked


def melee_reach(combatant: Combatant) -> int:
    """The longest reach of its melee weapons, in feet."""
    return max((weapon.reach for weapon in sheet_of(combatant).usual_arms if not weapon.is_ranged), default=0)


def bodies_in_the_way(
    battle: Battle, mover: Combatant, without: Combatant | None = None
) -> tuple[list[Position], list[Position]]:
    """The places that others block for the mover, and those where they only slow it; `without` is ignored."""
    blocked: list[Position] = []
    slow: list[Position] = []
    level = level_of(mover)
    for other in battle.present():
        if other is mover or other is without:
            continue
        if other.position is not None and not is_dead(other) and not other.has(RIDING):
            if (level or level_of(other)) and not _same_height(mover, other):
                continue
            taken = [other.position] if width_of(other) == 1 else squares_of(other)
            (slow if may_cross(mover, other) else blocked).extend(taken)
    if not level:
        slow.extend(rough_squares(battle, mover))
    wide = full_width(mover)
    if wide == 1:
        return blocked, slow
    grid = grid_of(battle.map)
    barred, tight = barring(grid, blocked, wide)
    return barred, [*tight, *places_over(grid, slow, wide)]


def _same_height(mover: Combatant, other: Combatant) -> bool:
    low, high = level_of(mover), level_of(other)
    return low < high + width_of(other) and high < low + width_of(mover)


def diagonal_cost(battle: Battle) -> int:
    return 150 if has_costly_diagonals(battle) else 101


def may_cross(mover: Combatant, other: Combatant) -> bool:
    """Whether one can pass through another: an ally, a swarm, or an enemy at least two sizes larger or smaller."""
    own = sheet_of(mover)
    if not is_hostile(mover, other) or own.shares_space or own.is_incorporeal or sheet_of(other).is_swarm:
        return True
    return abs(sheet_of(mover).size.rank - sheet_of(other).size.rank) >= 2


def crowding(battle: Battle, mover: Combatant, place: Position, wide: int) -> list[Combatant]:
    """The combatants whose space keeps the mover from stopping there. Swarms can share a space."""
    return [
        other
        for other in others_in(battle, mover, place, wide)
        if not (sheet_of(mover).shares_space or sheet_of(other).is_swarm)
    ]


def check_steps(battle: Battle, mover: Combatant, path: Sequence[Position]) -> None:
    """Refuse a path that one of the mover's conditions forbids."""
    assert mover.position is not None
    forbidding = those_with(Contributor.forbids_step, mover)
    for origin, to in pairwise([mover.position, *path]):
        for contributor in forbidding:
            why = contributor.forbids_step(battle, mover, origin, to)
            if why is not None:
                raise Refusal(
                    "move/forbidden", f"{why}; choose another destination.", who=mover.id, destination=path[-1]
                )


# Costs


def step_cost_chain(mover: Combatant) -> ModifierChain:
    """The extra cost of each step on top of the terrain, such as for crawling."""
    chain = ModifierChain("movement", STAGES)
    for contributor in those_with(Contributor.on_step_cost, mover):
        chain.add(*contributor.on_step_cost(mover))
    return chain


def path_costs(
    battle: Battle,
    mover: Combatant,
    path: Sequence[Position],
    extra: ModifierChain | None = None,
    gait: Gait = Gait.WALK,
) -> list[int]:
    """The cost of each step of a path, in feet."""
    assert mover.position is not None
    ground, wide = ground_for(battle, mover, gait), full_width(mover)
    more = (extra or step_cost_chain(mover)).bonus()
    diagonals = mover.economy.left(DIAGONALS)
    rough = rough_squares(battle, mover) if gait is not Gait.FLY else []
    costs = []
    for origin, to in pairwise([mover.position, *path]):
        squeezed = wide > 1 and is_tight(battle, mover, to, gait)
        entered = block(to, wide - squeezed, wide - squeezed)
        is_rough = any(map(ground.is_difficult, entered)) or any(square in rough for square in entered)
        is_slow = is_rough or others_in(battle, mover, to, wide - squeezed)
        cost = STEP * (1 + bool(is_slow) + (squeezed and not sheet_of(mover).is_amorphous))
        if is_diagonal(origin, to):
            diagonals += 1
            cost += STEP if has_costly_diagonals(battle) and diagonals % 2 == 0 else 0
        costs.append(cost + more)
    return costs


def is_tight(battle: Battle, mover: Combatant, place: Position, gait: Gait = Gait.WALK) -> bool:
    """Whether a large creature has to squeeze through a place, because of walls or creatures it cannot pass."""
    ground, wide = ground_for(battle, mover, gait), full_width(mover)
    if not all(ground.is_open(square) for square in block(place, wide, wide)):
        return True
    return any(not may_cross(mover, other) for other in others_in(battle, mover, place, wide))


def gait_at(battle: Battle, mover: Combatant, place: Position, gait: Gait) -> Gait:
    """How a walking creature enters a place: swimmers swim in water and climbers climb cliffs."""
    if gait is not Gait.WALK:
        return gait
    terrain = grid_of(battle.map).terrain(place)
    if terrain == WATER and has_gait(mover, Gait.SWIM):
        return Gait.SWIM
    return Gait.CLIMB if terrain == CLIFF and has_gait(mover, Gait.CLIMB) else gait


def usual_gait(battle: Battle, mover: Combatant) -> Gait:
    """The gait assumed by default: fliers fly, swimmers in water swim."""
    if has_gait(mover, Gait.FLY):
        return Gait.FLY
    return gait_at(battle, mover, mover.position, Gait.WALK) if mover.position is not None else Gait.WALK
