"""The spaces that figures cover, where a figure can be put, and the ways of large figures.

The place of a figure whose base covers several spaces is the upper left one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from combatlog.rules.engine.footprint import block
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play
from combatlog.rules.skirmish.vocabulary import TURNED
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

Base = tuple[int, int]
"""How many spaces across and down."""
SMALL = (1, 1)


class Pose(NamedTuple):
    """Where a figure is, and whether its base is turned by a quarter."""

    place: Position
    turned: bool = False


def place_of(figure: Combatant) -> Position:
    if figure.position is None:
        raise Refusal("place/none", f"{figure.name} has no place on the map; a ruling can give it one.", who=figure.id)
    return figure.position


def pose_of(figure: Combatant) -> Pose:
    return Pose(place_of(figure), figure.has(TURNED))


def is_large(figure: Combatant) -> bool:
    return figure_sheet(figure).base != SMALL


def spaces_of(figure: Combatant) -> list[Position]:
    """The spaces that a figure covers."""
    return spaces_at(figure_sheet(figure).base, pose_of(figure))


def spaces_at(base: Base, pose: Pose) -> list[Position]:
    """The spaces that a base covers in a pose, row by row."""
    return block(pose.place, *(base[::-1] if pose.turned else base))


def occupant_of(battle: Battle, spaces: Iterable[Position], but: Combatant | None = None) -> Combatant | None:
    """Somebody in one of these spaces, other than one figure."""
    return next(iter(occupants_of(battle, spaces, but)), None)


def occupants_of(battle: Battle, spaces: Iterable[Position], but: Combatant | None = None) -> list[Combatant]:
    wanted = set(spaces)
    others = (figure for figure in figures_in_play(battle) if but is None or figure.id != but.id)
    return [figure for figure in others if not wanted.isdisjoint(spaces_of(figure))]
