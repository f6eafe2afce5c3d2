"""The way to a place on the map, for rulesets whose combatants walk it square by square."""

from __future__ import annotations

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.grid import grid_of
from rules.engine.refusal import Refusal


def way_to(battle: Battle, mover: Combatant, goal: Position | None) -> list[Position]:
    """The cheapest way: around walls and everybody of another side, through allies, never ending on anybody."""
    if goal is None:
        raise Refusal("move/no-destination", "Say where to with --to COLUMN,ROW.")
    if mover.position is None:
        raise Refusal("move/no-place", f"{mover.id} has no place on the map; a ruling can put it there.")
    _require_free(battle, mover, goal)
    others = [other for other in battle.present() if other.side != mover.side]
    blocked = [other.position for other in others if other.position is not None]
    path = grid_of(battle.encounter.map).path(mover.position, goal, blocked)
    if not path:
        raise Refusal("move/no-way", f"There is no way from {mover.id} to {goal[0]},{goal[1]}.")
    return path


def _require_free(battle: Battle, mover: Combatant, goal: Position) -> None:
    x, y = goal
    if not grid_of(battle.encounter.map).is_open(goal):
        raise Refusal("move/not-open", f"Nobody can stand at {x},{y}; choose an open square on the map.")
    occupant = battle.at(goal)
    if occupant is mover:
        raise Refusal("move/already-there", f"{mover.id} stands there already; choose another square.")
    if occupant is not None:
        raise Refusal("move/occupied", f"{occupant.id} stands at {x},{y}; choose another square.")
