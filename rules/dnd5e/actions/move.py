from __future__ import annotations

from ledger.events import Declared, Position
from projections.combatant import Combatant
from rules.dnd5e.economy import MOVEMENT
from rules.dnd5e.pieces import Action, piece
from rules.dnd5e.vitality import is_hostile
from rules.grid import Grid, grid_of
from rules.refusal import Refusal
from rules.table import Table

STEP = 5
DIFFICULT_STEP = 10


@piece
class Move(Action):
    """Walk to a square, step by step."""

    name = "move"

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        grid = grid_of(table.battle.encounter.map)
        left = actor.economy.left(MOVEMENT)
        cost = sum(step_cost(grid, step) for step in _path(table, grid, actor, declared.destination))
        if cost > left:
            raise Refusal(
                "economy/no-movement-left",
                f"That way takes {cost} feet and {actor.id} has {left} left; choose a nearer square, or dash.",
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        grid = grid_of(table.battle.encounter.map)
        for step in _path(table, grid, actor, declared.destination):
            cost = step_cost(grid, step)
            moved = table.move(actor, step, cost)
            with table.because_of(moved):
                table.spend(actor, MOVEMENT, cost, self.name)


def step_cost(grid: Grid, step: Position) -> int:
    return DIFFICULT_STEP if grid.is_difficult(step) else STEP


def _path(table: Table, grid: Grid, actor: Combatant, goal: Position | None) -> list[Position]:
    """The way to go: around enemies and walls, through allies, never ending on anybody."""
    if goal is None:
        raise Refusal("move/no-destination", "Say where to with --to COLUMN,ROW.")
    if actor.position is None:
        raise Refusal("move/no-place", f"{actor.id} has no place on the map; a ruling can put it there.")
    if goal == actor.position:
        raise Refusal("move/already-there", f"{actor.id} stands there already; choose another square.")
    x, y = goal
    if not grid.is_open(goal):
        raise Refusal("move/not-open", f"Nobody can stand at {x},{y}; choose an open square on the map.")
    others = [other for other in table.battle.present() if other is not actor and other.position is not None]
    for other in others:
        if other.position == goal:
            raise Refusal("move/occupied", f"{other.id} stands at {x},{y}; choose another square.")
    blocked = [other.position for other in others if other.position and is_hostile(actor, other)]
    path = grid.path(actor.position, goal, blocked)
    if not path:
        raise Refusal("move/no-way", f"There is no way from {actor.id} to {x},{y}.")
    return path
