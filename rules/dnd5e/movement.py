"""Movement, step by step: where a path leads, what it costs, and when others can react to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from ledger.events import ChangeOp, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.contexts import Step
from rules.dnd5e.economy import DIAGONALS, MOVEMENT, REACTION
from rules.dnd5e.modifiers import STAGES, bonus, value_of
from rules.dnd5e.optional_rules import has_costly_diagonals
from rules.dnd5e.pieces import Contributor
from rules.dnd5e.reactions import open_window
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import can_act, can_move, is_dead, is_hostile, occupant_of, those_with
from rules.engine.chain import Chain
from rules.engine.grid import Ways, distance, grid_of, is_diagonal
from rules.engine.pathfinding import way_to
from rules.engine.quiet_paths import quietest_path
from rules.engine.refusal import Refusal
from rules.engine.table import Table

LEAVING = "step.leaving"
STEPPED = "step.taken"

STEP = 5
DIFFICULT_STEP = 10


# Speed


def speed_chain(combatant: Combatant) -> Chain:
    base = bonus("base", "dnd5e:score:speed", combatant.id, "walking speed", sheet_of(combatant).speed)
    chain = Chain("speed", STAGES, [base])
    for contributor in those_with(Contributor.on_speed, combatant):
        chain.add(*contributor.on_speed(combatant))
    return chain


def speed_of(combatant: Combatant) -> int:
    return max(0, value_of(speed_chain(combatant)))


def check_can_move(combatant: Combatant) -> None:
    if speed_of(combatant) == 0:
        causes = [m.reason for m in speed_chain(combatant) if m.change.op is ChangeOp.MULTIPLY]
        why = f" ({causes[-1]})" if causes else ""
        raise Refusal(
            "move/speed-0",
            f"{combatant.id}'s speed is 0{why}; it cannot move until that ends.",
            who=combatant.id,
            needed=STEP,
            available=0,
        )


# The path


def find_path(battle: Battle, mover: Combatant, goal: Position | None) -> list[Position]:
    """The path to a square: around enemies and walls, through allies, never ending on an occupied square.

    Among equally short paths, it is one that leaves as few enemies' reach as possible.
    """
    plain = way_to(battle, mover, goal, ways_of, occupant_of)
    assert mover.position is not None
    provoked = provocations(battle, mover)
    if provoked is None or not any(provoked(*step) for step in pairwise([mover.position, *plain])):
        return plain
    return quietest_path(ways_of(battle, mover, mover.position), mover.position, plain[-1], provoked)


def path_via(battle: Battle, mover: Combatant, via: Sequence[Position], goal: Position | None) -> list[Position]:
    """The path to a square by way of others, in order. Only the last has to be free."""
    if not via:
        return find_path(battle, mover, goal)
    way_to(battle, mover, goal, ways_of, occupant_of)
    assert mover.position is not None
    assert goal is not None
    path: list[Position] = []
    for place in (*via, goal):
        start = path[-1] if path else mover.position
        leg = ways_of(battle, mover, start).path(place) if place in grid_of(battle.encounter.map) else []
        if not leg and place != start:
            raise Refusal(
                "move/no-way-via",
                f"{mover.id} has no way from {start[0]},{start[1]} to {place[0]},{place[1]}.",
                who=mover.id,
                destination=place,
            )
        path += leg
    return path


def ways_of(battle: Battle, mover: Combatant, start: Position) -> Ways:
    """Where the mover can go: around enemies, walls and their corners, and more slowly through allies."""
    blocked, slow = bodies_in_the_way(battle, mover)
    grid = grid_of(battle.encounter.map)
    return grid.ways((start,), blocked, slow=slow, diagonal=diagonal_cost(battle), around_corners=True)


def provocations(battle: Battle, mover: Combatant) -> Callable[[Position, Position], int] | None:
    """How many enemies a step could provoke to an opportunity attack; None if there is nobody to provoke."""
    watching = [
        (other.position, reach)
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
        return sum(distance(place, origin) <= reach < distance(place, to) for place, reach in watching)

    return provoked


def melee_reach(combatant: Combatant) -> int:
    """How far its melee weapons reach, in feet."""
    return max((weapon.reach for weapon in sheet_of(combatant).usual_arms if not weapon.is_ranged), default=0)


def bodies_in_the_way(battle: Battle, mover: Combatant) -> tuple[list[Position], list[Position]]:
    """The squares that others block, and those where they only slow the mover down."""
    blocked: list[Position] = []
    slow: list[Position] = []
    for other in battle.present():
        if other is not mover and other.position is not None and not is_dead(other):
            (slow if may_cross(mover, other) else blocked).append(other.position)
    return blocked, slow


def diagonal_cost(battle: Battle) -> int:
    return 150 if has_costly_diagonals(battle) else 101


def may_cross(mover: Combatant, other: Combatant) -> bool:
    """Anybody can pass through allies, but through enemies only if they differ by two sizes or more."""
    if not is_hostile(mover, other):
        return True
    return abs(sheet_of(mover).size.rank - sheet_of(other).size.rank) >= 2


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


# What it costs


def step_cost_chain(mover: Combatant) -> Chain:
    """What each step costs on top of the terrain, such as crawling."""
    chain = Chain("movement", STAGES)
    for contributor in those_with(Contributor.on_step_cost, mover):
        chain.add(*contributor.on_step_cost(mover))
    return chain


def path_costs(battle: Battle, mover: Combatant, path: Sequence[Position], extra: Chain | None = None) -> list[int]:
    """What each step of a path costs, in feet."""
    assert mover.position is not None
    grid = grid_of(battle.encounter.map)
    more = (extra or step_cost_chain(mover)).bonus()
    diagonals = mover.economy.left(DIAGONALS)
    costs = []
    for origin, to in pairwise([mover.position, *path]):
        cost = DIFFICULT_STEP if grid.is_difficult(to) or occupant_of(battle, to) is not None else STEP
        if is_diagonal(origin, to):
            diagonals += 1
            cost += STEP if has_costly_diagonals(battle) and diagonals % 2 == 0 else 0
        costs.append(cost + more)
    return costs


# Walking


def walk(table: Table, mover: Combatant, path: Sequence[Position], why: str, *, pays: bool = True) -> None:
    """Follow a path step by step, as far as others allow it."""
    assert mover.position is not None
    extra = step_cost_chain(mover)
    extra.record(table)
    costs = path_costs(table.battle, mover, path, extra)
    last_free = mover.position
    place = mover.position
    for to, cost in zip(path, costs, strict=True):
        # A ruling may have moved it while a window was open: the rest of the path leads from where it no longer is.
        if mover.position != place or not _take_step(table, mover, to, cost, why if pays else None):
            break
        place = to
        if not _shares_square(table.battle, mover):
            last_free = mover.position
    if _shares_square(table.battle, mover):
        # Stopped in somebody else's square, where it cannot stay.
        table.move(mover, _nearest_free(table.battle, last_free), forced=True)


def _take_step(table: Table, mover: Combatant, to: Position, cost: int, why: str | None) -> bool:
    """Take one step unless the mover is stopped before it. Returns whether the mover can go on."""
    assert mover.position is not None
    step = Step(table.battle, mover, mover.position, to)
    open_window(table, step, LEAVING)
    if mover.position != step.origin or not can_go_on(mover) or _is_barred(table.battle, mover, to):
        return False
    moved = table.move(mover, to, cost if why else 0)
    with table.because_of(moved):
        if why:
            table.spend(mover, MOVEMENT, cost, why)
        if has_costly_diagonals(table.battle) and is_diagonal(step.origin, to):
            table.gain(mover, DIAGONALS, 1, "a diagonal step")
        _tell_everybody(table, step)
        open_window(table, step, STEPPED)
    return can_go_on(mover)


def _is_barred(battle: Battle, mover: Combatant, to: Position) -> bool:
    """Whether somebody blocks the square; a reaction may have moved them there."""
    occupant = occupant_of(battle, to)
    return occupant is not None and not may_cross(mover, occupant)


def can_go_on(mover: Combatant) -> bool:
    """Whether nothing has stopped the mover."""
    return can_move(mover) and speed_of(mover) > 0


def _shares_square(battle: Battle, mover: Combatant) -> bool:
    others = (other for other in battle.present() if other is not mover and not is_dead(other))
    return any(other.position == mover.position for other in others)


def _nearest_free(battle: Battle, wanted: Position) -> Position:
    """The wanted square, or the free one nearest to it."""
    grid = grid_of(battle.encounter.map)
    squares = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    free = [square for square in squares if grid.is_open(square) and occupant_of(battle, square) is None]
    return min(free, key=lambda square: distance(square, wanted))


def _tell_everybody(table: Table, step: Step) -> None:
    for owner in table.battle.by_initiative(table.battle.present()):
        for contributor in those_with(Contributor.after_step, owner):
            contributor.after_step(table, step, owner)


def teleport(table: Table, mover: Combatant, to: Position) -> None:
    """Move without taking steps: this provokes no opportunity attacks."""
    table.move(mover, to)


def push(table: Table, target: Combatant, away_from: Position, feet: int) -> None:
    """Push a combatant straight away from a place, until something blocks it."""
    grid = grid_of(table.battle.encounter.map)
    for _ in range(feet // STEP):
        if target.position is None:
            return
        x, y = target.position
        to = (x + _sign(x - away_from[0]), y + _sign(y - away_from[1]))
        blocked = not grid.is_open(to) or grid.is_past_corner(target.position, to)
        if to == target.position or blocked or occupant_of(table.battle, to) is not None:
            return
        table.move(target, to, forced=True)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
