"""Ways over the board: what a step costs, and the cheapest way to a space."""

from __future__ import annotations

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.grid import Ways
from rules.engine.pathfinding import way_to
from rules.skirmish.board import board_of
from rules.skirmish.sheet import figures_in_play
from rules.skirmish.targeting import spaces_of

THROUGH_HOSTILE = 1
"""What it costs more to enter a space with a hostile figure."""


def ways_from(battle: Battle, mover: Combatant, start: Position) -> Ways:
    """Around walls, through friends, and through hostile figures at a price."""
    return board_of(battle).ways(start, _prices(battle, mover))


def _prices(battle: Battle, mover: Combatant) -> dict[Position, int]:
    hostile = [figure for figure in figures_in_play(battle) if figure.side != mover.side]
    return {space: THROUGH_HOSTILE for figure in hostile for space in spaces_of(figure)}


def way(battle: Battle, mover: Combatant, goal: Position | None) -> list[tuple[Position, int]]:
    """The steps to a space, which has to be free, each with its cost; or a refusal."""
    grid, prices = board_of(battle).grid, _prices(battle, mover)
    steps = way_to(battle, mover, goal, ways_from)
    return [(step, (2 if grid.is_difficult(step) else 1) + prices.get(step, 0)) for step in steps]
