"""Where a figure can be put: when it joins, or when the GM says so."""

from __future__ import annotations

from combatlog.rules.engine.placing import require_open, taken
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Recruit
from combatlog.rules.skirmish.board import board_of
from combatlog.rules.skirmish.footprint import Pose, occupant_of, spaces_at, spaces_of
from combatlog.rules.skirmish.large_ways import fits
from combatlog.rules.skirmish.sheet import FigureSheet, read_sheet
from combatlog.rules.skirmish.vocabulary import TURNED
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


def require_room(battle: Battle, position: Position, who: Recruit | Combatant) -> None:
    """Refuse a place if somebody or something is in any of the spaces that the figure would cover."""
    sheet = read_sheet(who.sheet)
    if not isinstance(sheet, FigureSheet):
        require_open(battle, position)
        return
    mover = who if isinstance(who, Combatant) else None
    pose = Pose(position, mover is not None and mover.has(TURNED))
    _require_ground(battle, sheet, pose)
    spaces = spaces_at(sheet.base, pose)
    occupant = occupant_of(battle, spaces, mover)
    if occupant is not None:
        raise taken(next(space for space in spaces_of(occupant) if space in spaces), occupant)


def _require_ground(battle: Battle, sheet: FigureSheet, pose: Pose) -> None:
    for space in spaces_at(sheet.base, pose):
        require_open(battle, space)
    board = board_of(battle)
    if not fits(board.bare if sheet.ignores_terrain else board, sheet.base, pose):
        x, y = pose.place
        raise Refusal(
            "place/terrain",
            f"Terrain or a wall is in the way of a figure of size {sheet.size} at {x},{y}; choose another place.",
            destination=pose.place,
            size=sheet.size,
        )
