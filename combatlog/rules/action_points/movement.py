"""Moving in metres: entering a square takes one metre, or two on difficult ground."""

from __future__ import annotations

from combatlog.rules.engine.grid import Grid, grid_of
from combatlog.rules.engine.pathfinding import way_to
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.seen_ways import as_seen, left_out, require_clear
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Position
from projections.combatant import Combatant


def way_within(table: Table, mover: Combatant, declared: Declared, metres: int) -> list[Position]:
    """The way to the destination, or a refusal if it is longer than this many metres."""
    seen = as_seen(table.battle, mover, declared)
    way = way_to(seen, mover, declared.destination)
    needed = length(grid_of(table.battle.map), way)
    if needed > metres:
        raise Refusal(
            "move/too-far",
            f"The way there is {needed} m, and {mover.name} can move {metres} m like that; choose a nearer square.",
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
    """Push somebody straight away from a place, until something is in the way."""
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
