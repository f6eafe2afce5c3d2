"""The way to a square on the map, for rulesets whose combatants walk it step by step."""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.engine.grid import Ways, grid_of
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

WaysFrom = Callable[[Battle, Combatant, Position], Ways]
"""Where a combatant can get to from a square: this is where rulesets differ."""
Occupancy = Callable[[Battle, Position], Combatant | None]
"""Who takes up a square."""


def ways_past_others(battle: Battle, mover: Combatant, start: Position) -> Ways:
    """Around walls and everybody of another side, through allies."""
    others = [other for other in battle.present() if other.side != mover.side]
    blocked = [other.position for other in others if other.position is not None]
    return grid_of(battle.map).ways((start,), blocked)


def way_to(
    battle: Battle,
    mover: Combatant,
    goal: Position | None,
    ways_from: WaysFrom = ways_past_others,
    occupant_of: Occupancy = Battle.at,
) -> list[Position]:
    """The cheapest way to a square, which has to be free."""
    start, end = ends_of(mover, goal)
    if start == end:
        raise already_there(mover, end)
    require_free(battle, end, occupant_of)
    path = ways_from(battle, mover, start).path(end)
    if not path:
        raise no_way(mover, end)
    return path


def ends_of(mover: Combatant, goal: Position | None) -> tuple[Position, Position]:
    """Where somebody is and where it wants to go, or a refusal if one of them is missing."""
    if goal is None:
        raise Refusal("move/no-destination", f"{mover.name} needs a square to move to.", who=mover.id)
    if mover.position is None:
        raise Refusal("move/no-place", f"{mover.name} is not on the map; a ruling can place it there.", who=mover.id)
    return mover.position, goal


def require_free(battle: Battle, goal: Position, occupant_of: Occupancy = Battle.at) -> None:
    """Refuse a square where nobody can stop."""
    if not grid_of(battle.map).is_open(goal):
        raise not_open(goal)
    occupant = occupant_of(battle, goal)
    if occupant is not None:
        raise occupied(goal, occupant)


def already_there(mover: Combatant, goal: Position) -> Refusal:
    return Refusal(
        "move/already-there", f"{mover.name} is already there; choose another square.", who=mover.id, destination=goal
    )


def no_way(mover: Combatant, goal: Position) -> Refusal:
    return Refusal("move/no-way", f"{mover.name} has no way to {goal[0]},{goal[1]}.", who=mover.id, destination=goal)


def not_open(goal: Position) -> Refusal:
    x, y = goal
    return Refusal("move/not-open", f"Nobody can stand at {x},{y}; choose an open square.", destination=goal)


def occupied(goal: Position, occupant: Combatant) -> Refusal:
    x, y = goal
    return Refusal(
        "move/occupied",
        f"{occupant.name} is at {x},{y}; choose another square.",
        destination=goal,
        occupant=occupant.id,
    )
