"""Ways over the board: what a step costs, and the cheapest way to a space."""

from __future__ import annotations

from typing import NamedTuple

from combatlog.rules.engine.grid import UNREACHABLE, Ways
from combatlog.rules.engine.pathfinding import already_there, ends_of, no_way, not_open, occupied
from combatlog.rules.skirmish.board import Board, board_of
from combatlog.rules.skirmish.footprint import Pose, is_large, occupant_of, pose_of, spaces_at, spaces_of
from combatlog.rules.skirmish.large_ways import LargeWays, fits
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

THROUGH_HOSTILE = 1
"""What it costs more to enter a space with a hostile figure."""


class Step(NamedTuple):
    """One space further, or a quarter turn."""

    pose: Pose
    cost: int


def board_for(battle: Battle, mover: Combatant) -> Board:
    """The board as a figure moves over it. Massive and mobile figures ignore terrain."""
    board = board_of(battle)
    return board.bare if figure_sheet(mover).ignores_terrain else board


def way(battle: Battle, mover: Combatant, goal: Position | None, turn: bool = False) -> list[Step]:
    """The steps to a place where the figure can stop, each with its cost; or a refusal.

    A figure that turns ends up with its base turned by a quarter; on its way it may turn either way.
    """
    start, end = ends_of(mover, goal)
    if start == end and not turn:
        raise already_there(mover, end)
    pose = Pose(end, pose_of(mover).turned != turn)
    require_stop(battle, mover, pose)
    steps = _large_way(battle, mover, pose) if is_large(mover) else _small_way(battle, mover, end)
    if not steps:
        raise no_way(mover, end)
    return steps


def require_stop(battle: Battle, mover: Combatant, pose: Pose) -> None:
    """Refuse a place where the figure cannot end its movement. A massive one can, on others who are not."""
    sheet = figure_sheet(mover)
    spaces = spaces_at(sheet.base, pose)
    if not fits(board_for(battle, mover), sheet.base, pose):
        raise not_open(pose.place)
    occupant = occupant_of(battle, spaces, mover)
    if occupant is not None and not (sheet.massive and not figure_sheet(occupant).massive):
        raise occupied(next(space for space in spaces_of(occupant) if space in spaces), occupant)


def reachable(battle: Battle, mover: Combatant) -> dict[Pose, int]:
    """What it costs to get to each place, whether or not the figure could stop there."""
    if is_large(mover):
        return _large_ways(battle, mover).costs
    grid, costs = board_of(battle).grid, ways_from(battle, mover).costs
    places = ((x, y) for y in range(grid.height) for x in range(grid.width))
    return {Pose((x, y)): costs[y][x] // 100 for x, y in places if costs[y][x] < UNREACHABLE}


def _small_way(battle: Battle, mover: Combatant, goal: Position) -> list[Step]:
    grid, prices = board_for(battle, mover).grid, _prices(battle, mover)
    steps = ways_from(battle, mover).path(goal)
    return [Step(Pose(step), (2 if grid.is_difficult(step) else 1) + prices.get(step, 0)) for step in steps]


def ways_from(battle: Battle, mover: Combatant) -> Ways:
    """Around walls, through friends, and through hostile figures at a price."""
    start = pose_of(mover).place
    return board_for(battle, mover).ways(start, _prices(battle, mover), _barred(battle, mover))


def _large_way(battle: Battle, mover: Combatant, goal: Pose) -> list[Step]:
    ways = _large_ways(battle, mover)
    return [Step(pose, ways.price(pose)) for pose in ways.path(goal)]


def _large_ways(battle: Battle, mover: Combatant) -> LargeWays:
    base, prices = figure_sheet(mover).base, _prices(battle, mover)
    return LargeWays(board_for(battle, mover), base, pose_of(mover), prices, _barred(battle, mover))


def _prices(battle: Battle, mover: Combatant) -> dict[Position, int]:
    if figure_sheet(mover).ignores_terrain:
        return {}
    hostile = [figure for figure in figures_in_play(battle) if figure.side != mover.side]
    return {space: THROUGH_HOSTILE for figure in hostile for space in spaces_of(figure)}


def _barred(battle: Battle, mover: Combatant) -> frozenset[Position]:
    """No massive figure enters the spaces of another."""
    if not figure_sheet(mover).massive:
        return frozenset()
    others = [figure for figure in figures_in_play(battle) if figure.id != mover.id and figure_sheet(figure).massive]
    return frozenset(space for figure in others for space in spaces_of(figure))
