"""Movement, step by step: walking, being pushed, teleporting, and placement on the map."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.dnd5e.battlemap.grapples_and_mounts import burden_of, carry_along, get_off, let_go_apart
from combatlog.rules.dnd5e.battlemap.paths import (
    bodies_in_the_way,
    check_steps,
    crowding,
    diagonal_cost,
    find_path,
    is_tight,
    may_cross,
    melee_reach,
    path_costs,
    path_via,
    provocations,
    step_cost_chain,
    ways_of,
)
from combatlog.rules.dnd5e.battlemap.space import (
    SQUEEZING,
    covers,
    full_width,
    level_of,
    others_in,
    steps_between,
    width_of,
)
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import (
    STEP,
    Gait,
    check_can_move,
    places_for,
    speed_chain,
    speed_of,
)
from combatlog.rules.dnd5e.battlemap.zones import spring
from combatlog.rules.dnd5e.combatant_state import afflict, can_move, end_condition, is_dead, still_with
from combatlog.rules.dnd5e.contexts import MovementStep
from combatlog.rules.dnd5e.creatures.sheet import read_sheet, sheet_of
from combatlog.rules.dnd5e.economy import DIAGONALS, MOVEMENT
from combatlog.rules.dnd5e.hazards_and_optional_rules import HazardTiming, has_costly_diagonals
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.reactions import open_window
from combatlog.rules.engine.grid.squares import block, distance, grid_of, is_diagonal, require_open, taken
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Recruit
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

__all__ = [
    "LEAVING",
    "STEP",
    "STEPPED",
    "bodies_in_the_way",
    "can_go_on",
    "check_can_move",
    "check_steps",
    "diagonal_cost",
    "find_path",
    "make_room",
    "melee_reach",
    "nearest_free",
    "path_costs",
    "path_via",
    "provocations",
    "push",
    "speed_chain",
    "speed_of",
    "step_cost_chain",
    "teleport",
    "walk",
    "ways_of",
]

LEAVING = "step.leaving"
STEPPED = "step.taken"


def walk(
    table: Table,
    mover: Combatant,
    path: Sequence[Position],
    why: str,
    *,
    pays: bool = True,
    gait: Gait = Gait.WALK,
    dragged: Sequence[Combatant] = (),
) -> None:
    """Follow a path step by step until something stops the mover, dragging grappled creatures along."""
    assert mover.position is not None
    extra = step_cost_chain(mover)
    extra.record(table)
    burden = burden_of(mover, dragged)
    costs = [burden * cost for cost in path_costs(table.battle, mover, path, extra, gait)]
    last_free = mover.position
    place = mover.position
    for to, cost in zip(path, costs, strict=True):
        # A ruling may have moved it while a window was open, and then the rest of the path no longer fits.
        if mover.position != place or not _take_step(table, mover, to, cost, why if pays else None, dragged):
            break
        place = to
        if full_width(mover) > 1:
            _squeeze_if(table, mover, is_tight(table.battle, mover, to, gait))
        if not _shares_space(table.battle, mover) and not _is_inside_a_wall(table.battle, mover):
            last_free = mover.position
    if _shares_space(table.battle, mover) or _is_inside_a_wall(table.battle, mover):
        settle(table, mover, last_free)


def _is_inside_a_wall(battle: Battle, mover: Combatant) -> bool:
    if not sheet_of(mover).is_incorporeal or mover.position is None:
        return False
    return not all(map(grid_of(battle.map).is_open, block(mover.position, width_of(mover), width_of(mover))))


def make_room(table: Table, combatant: Combatant) -> None:
    """Find room for a combatant whose space is no longer open or free, after a landing or a ruling."""
    place = combatant.position
    if place is None or not combatant.present:
        return
    squares = block(place, width_of(combatant), width_of(combatant))
    if not all(map(grid_of(table.battle.map).is_open, squares)) or _shares_space(table.battle, combatant):
        settle(table, combatant, place)


def settle(table: Table, mover: Combatant, wanted: Position) -> None:
    """Resolve a shared space: the combatant squeezes, or moves to the nearest free place."""
    if _can_squeeze(table.battle, mover):
        _squeeze_if(table, mover, True)
    else:
        table.move(mover, nearest_free(table.battle, mover, wanted), forced=True)


def _can_squeeze(battle: Battle, mover: Combatant) -> bool:
    """Whether its space would be free of others if it squeezed."""
    wide = full_width(mover)
    if wide == 1 or mover.has(SQUEEZING) or mover.position is None:
        return False
    is_open = all(map(grid_of(battle.map).is_open, block(mover.position, wide - 1, wide - 1)))
    return is_open and not others_in(battle, mover, mover.position, wide - 1)


def _squeeze_if(table: Table, mover: Combatant, tight: bool) -> None:
    if tight and not mover.has(SQUEEZING):
        afflict(table, mover, SQUEEZING, source="dnd5e:rule:squeezing", owner=mover.id)
    elif not tight:
        end_condition(table, mover, SQUEEZING, "has room again")


def _take_step(
    table: Table, mover: Combatant, to: Position, cost: int, why: str | None, dragged: Sequence[Combatant] = ()
) -> bool:
    """Take one step unless the mover is stopped before it. Returns whether the mover can go on."""
    assert mover.position is not None
    step = MovementStep(table.battle, mover, mover.position, to, tuple(held.id for held in dragged))
    open_window(table, step, LEAVING)
    if mover.position != step.origin or not can_go_on(mover) or _is_barred(table.battle, mover, to):
        return False
    moved = table.move(mover, to, cost if why else 0)
    with table.because_of(moved):
        if why:
            table.spend(mover, MOVEMENT, cost, why)
        if has_costly_diagonals(table.battle) and is_diagonal(step.origin, to):
            table.gain(mover, DIAGONALS, 1, "a diagonal step")
        for held in dragged:
            _drag(table, mover, held, step.origin)
        spring(table, mover, HazardTiming.ENTER, step.origin)
        _tell_everybody(table, step)
        open_window(table, step, STEPPED)
    return can_go_on(mover)


def _drag(table: Table, mover: Combatant, held: Combatant, origin: Position) -> None:
    """Drag a creature to where the mover was, if it would be left behind."""
    if steps_between(mover, held) > 1:
        shift(table, held, nearest_free(table.battle, held, origin))


def _is_barred(battle: Battle, mover: Combatant, to: Position) -> bool:
    """Whether another combatant blocks the square; a reaction may have moved it there."""
    narrowest = max(1, full_width(mover) - 1)
    return any(not may_cross(mover, other) for other in others_in(battle, mover, to, narrowest))


def can_go_on(mover: Combatant) -> bool:
    """Whether the mover can still move."""
    return can_move(mover) and speed_of(mover) > 0


def _shares_space(battle: Battle, mover: Combatant) -> bool:
    return mover.position is not None and bool(crowding(battle, mover, mover.position, width_of(mover)))


def nearest_free(battle: Battle, mover: Combatant, wanted: Position) -> Position:
    """The wanted place, or the nearest free one."""
    grid, wide = grid_of(battle.map), width_of(mover)
    squares = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    free = [
        place
        for place in sorted(squares, key=lambda square: distance(square, wanted))
        if all(map(grid.is_open, block(place, wide, wide))) and not others_in(battle, mover, place, wide)
    ]
    return free[0]


def _tell_everybody(table: Table, step: MovementStep) -> None:
    for owner in table.battle.by_initiative(table.battle.present()):
        for contributor in still_with(Contributor.after_step, owner):
            contributor.after_step(table, step, owner)


def teleport(table: Table, mover: Combatant, to: Position) -> None:
    """Move without taking steps, which provokes no opportunity attacks. It ends holds, and a rider leaves its mount."""
    get_off(table, mover, "teleported")
    table.move(mover, to)
    carry_along(table, mover)
    if full_width(mover) > 1:
        _squeeze_if(table, mover, is_tight(table.battle, mover, to))
        make_room(table, mover)
    let_go_apart(table)


def push(table: Table, target: Combatant, away_from: Combatant | Position, feet: int) -> None:
    """Push a combatant straight away from a place or from the middle of a combatant's space, until blocked."""
    for _ in range(feet // STEP):
        if target.position is None:
            return
        to = _pushed(target, away_from)
        if to == target.position or not _can_be_pushed(table.battle, target, to):
            return
        get_off(table, target, "pushed off")
        shift(table, target, to)


def shift(table: Table, target: Combatant, to: Position) -> None:
    """Move a combatant one step by force. It can enter hazards there, and leaves the reach of its grapplers."""
    origin = target.position
    table.move(target, to, forced=True)
    carry_along(table, target)
    spring(table, target, HazardTiming.ENTER, origin)
    let_go_apart(table)


def pull(table: Table, target: Combatant, to: Combatant, feet: int) -> None:
    """Pull a combatant straight towards another one, until they are adjacent or something blocks it."""
    for _ in range(feet // STEP):
        if target.position is None or steps_between(target, to) <= 1:
            return
        away = _pushed(target, to)
        place = (2 * target.position[0] - away[0], 2 * target.position[1] - away[1])
        if place == target.position or not _can_be_pushed(table.battle, target, place):
            return
        get_off(table, target, "pulled off")
        shift(table, target, place)


def _pushed(target: Combatant, away_from: Combatant | Position) -> Position:
    assert target.position is not None
    origin, wide = (away_from.position, width_of(away_from)) if isinstance(away_from, Combatant) else (away_from, 1)
    assert origin is not None
    (x, y), own = target.position, width_of(target)
    right, down = (2 * at + own - 2 * away - wide for at, away in zip((x, y), origin, strict=True))
    return x + _sign(right), y + _sign(down)


def _can_be_pushed(battle: Battle, target: Combatant, to: Position) -> bool:
    assert target.position is not None
    grid, wide = places_for(battle, target, Gait.FLY), width_of(target)
    squares = block(to, wide, wide)
    clear = all(map(grid_of(battle.map).is_open, squares)) and not grid.is_past_corner(target.position, to)
    return clear and not others_in(battle, target, to, wide)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def require_space(battle: Battle, position: Position, who: Recruit | Combatant) -> None:
    """Refuse a place if any square that the creature would take up is occupied or not open."""
    if isinstance(who, Combatant):
        wide, others = sheet_of(who).squares, others_in(battle, who, position, sheet_of(who).squares)
    else:
        wide = read_sheet(who.sheet).squares
        others = _others(battle, block(position, wide, wide))
    squares = block(position, wide, wide)
    for square in squares:
        require_open(battle, square)
    if others:
        raise taken(next(square for square in squares if covers(others[0], square)), others[0])


def _others(battle: Battle, squares: list[Position]) -> list[Combatant]:
    living = [other for other in battle.present() if not is_dead(other) and not level_of(other)]
    return [other for other in living if any(covers(other, square) for square in squares)]
