"""Areas of effect: the squares that a sphere, cube, cone or line covers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import in_line_of_sight
from combatlog.rules.dnd5e.battlemap.space import covers, nearest_square, width_of
from combatlog.rules.dnd5e.combatant_state import is_cut_off, is_dead
from combatlog.rules.engine.grid.squares import Grid, grid_of
from combatlog.rules.engine.resolution.table import Table
from ledger.events import AreaAffected, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

SQUARE = 5


class Shape(StrEnum):
    SPHERE = "sphere"
    CUBE = "cube"
    CONE = "cone"
    LINE = "line"


def sphere(centre: Position, radius: int) -> Iterator[Position]:
    """The squares whose centre is within the radius, measured from the centre of the middle square."""
    reach = radius // SQUARE
    for offset in _offsets(reach):
        if offset[0] ** 2 + offset[1] ** 2 <= reach**2:
            yield (centre[0] + offset[0], centre[1] + offset[1])


def cube(origin: Position, toward: Position, side: int) -> Iterator[Position]:
    """A block of squares next to the origin, on the side towards the target. It does not include the origin."""
    squares = side // SQUARE
    columns = _span(origin[0], squares, _leans(origin, toward, 0))
    rows = _span(origin[1], squares, _leans(origin, toward, 1))
    for y in rows:
        for x in columns:
            yield (x, y)


def _leans(origin: Position, toward: Position, axis: int) -> int:
    """The direction along an axis, -1 or 1; 0 if the other axis is more than twice as long."""
    along, across = toward[axis] - origin[axis], toward[1 - axis] - origin[1 - axis]
    return 0 if 2 * abs(along) < abs(across) or along == 0 else (1 if along > 0 else -1)


def _span(origin: int, squares: int, lean: int) -> range:
    first = {-1: origin - squares, 0: origin - squares // 2, 1: origin + 1}[lean]
    return range(first, first + squares)


def cone(origin: Position, toward: Position, length: int) -> Iterator[Position]:
    """The width at each point equals its distance. Integers only, so that every machine gets the same squares."""
    dx, dy = toward[0] - origin[0], toward[1] - origin[1]
    reach = length // SQUARE
    for x, y in _offsets(reach):
        along, across = x * dx + y * dy, abs(x * dy - y * dx)
        if along > 0 and 2 * across <= along and along**2 <= reach**2 * (dx**2 + dy**2):
            yield (origin[0] + x, origin[1] + y)


def line(origin: Position, toward: Position, length: int) -> Iterator[Position]:
    """A line one square wide, starting next to the origin and going through the target square and beyond."""
    from tcod.los import bresenham

    dx, dy = toward[0] - origin[0], toward[1] - origin[1]
    longest = max(abs(dx), abs(dy))
    reach = length // SQUARE
    end = (origin[0] + _scaled(dx, reach, longest), origin[1] + _scaled(dy, reach, longest))
    way = [*bresenham(origin, toward)[1 : reach + 1], *(bresenham(toward, end)[1:] if longest < reach else ())]
    for x, y in way:
        yield (int(x), int(y))


def _scaled(part: int, reach: int, longest: int) -> int:
    """part * reach / longest, rounded to the nearest integer."""
    return (2 * part * reach + longest) // (2 * longest)


def _offsets(reach: int) -> Iterator[Position]:
    for y in range(-reach, reach + 1):
        for x in range(-reach, reach + 1):
            yield (x, y)


SHAPES: dict[Shape, Callable[[Position, Position, int], Iterator[Position]]] = {
    Shape.SPHERE: lambda origin, toward, feet: sphere(toward, feet),
    Shape.CUBE: cube,
    Shape.CONE: cone,
    Shape.LINE: line,
}


@dataclass(frozen=True, slots=True)
class Extent:
    """The shape of an area, its size in feet, and whether it spreads around corners."""

    shape: Shape
    feet: int
    spreads: bool = False

    def source(self, origin: Position, toward: Position) -> Position:
        """The square where its effect originates."""
        return toward if self.shape is Shape.SPHERE else origin


def covered(grid: Grid, extent: Extent, origin: Position, toward: Position) -> list[Position]:
    """The squares of an area that are on the map and not behind a wall, as seen from its origin.
    If it spreads around corners, it covers all squares that a path within the area reaches.
    """
    source = extent.source(origin, toward)
    squares = [square for square in SHAPES[extent.shape](origin, toward, extent.feet) if grid.is_open(square)]
    if extent.spreads:
        reached = _spread(grid, source, set(squares))
        return [square for square in squares if square in reached]
    return [square for square in squares if in_line_of_sight(grid, source, square)]


def _spread(grid: Grid, source: Position, squares: set[Position]) -> set[Position]:
    """The squares reachable from the source without leaving the area."""
    reached, to_do = {source}, [source]
    while to_do:
        x, y = to_do.pop()
        for offset in _offsets(1):
            place = (x + offset[0], y + offset[1])
            if place in squares and place not in reached and not grid.is_past_corner((x, y), place):
                reached.add(place)
                to_do.append(place)
    return reached


def affect(
    table: Table,
    owner: Combatant,
    source: str,
    extent: Extent,
    toward: Position,
    spared: Collection[Combatant] = (),
) -> list[Combatant]:
    """Record an area. Returns the combatants in it, friend or foe, without the spared ones, in initiative order."""
    grid = grid_of(table.battle.map)
    here = nearest_square(owner, toward)
    squares = covered(grid, extent, here, toward)
    caught = [other for other in caught_in(table.battle, squares) if other not in spared]
    table.record(
        AreaAffected,
        owner=owner.id,
        source=source,
        shape=extent.shape,
        origin=extent.source(here, toward),
        squares=tuple(squares),
        caught=tuple(other.id for other in caught),
    )
    return caught


def caught_in(battle: Battle, squares: Collection[Position]) -> list[Combatant]:
    """The living combatants in an area, friend or foe, in initiative order."""
    living = [other for other in battle.present() if not is_dead(other) and is_within(other, squares)]
    return battle.by_initiative([other for other in living if not is_cut_off(other)])


def is_within(combatant: Combatant, squares: Collection[Position]) -> bool:
    """Whether any part of a combatant's space is in an area."""
    if width_of(combatant) == 1:
        return combatant.position in squares
    return any(covers(combatant, square) for square in squares)
