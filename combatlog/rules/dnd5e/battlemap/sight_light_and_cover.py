"""Line of sight, cover, light and darkness."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

from combatlog.rules.dnd5e.battlemap.space import level_of, squares_of, steps_between, steps_to, width_of
from combatlog.rules.dnd5e.combatant_state import is_blinded, is_concealed, is_dead
from combatlog.rules.dnd5e.conditions.instances import SHIELDS, instances_of
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.hazards_and_optional_rules import Lamp, Light, read_square
from combatlog.rules.engine.grid.squares import WALL, Grid, distance, grid_of
from ledger.events import Position
from projections.battle.clock_and_map import DOOR
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.views.visibility import is_unseen_by

LIT = "dnd5e:condition:lit"
SHINING = frozenset({LIT, "dnd5e:condition:hallowed"})
"""Conditions whose owners shed as much light as a torch."""
ZONE = "dnd5e:condition:zone"
DEAFENED = "dnd5e:condition:deafened"
OUTLINED = "dnd5e:condition:outlined"
"""A combatant with this condition gains nothing from being invisible."""
TORCH = Lamp(at="0,0")
"""A torch: bright light for 20 feet and dim light for another 20."""


def perceives(battle: Battle, viewer: Combatant, other: Combatant) -> bool:
    """Whether light, fog and senses let one combatant perceive another. Ignores walls and blindness."""
    if not hides_anybody(battle) or viewer.position is None or other.position is None:
        return True
    senses, feet = sheet_of(viewer).senses, 5 * steps_between(viewer, other)
    if feet <= _blindsight(viewer) or (feet <= senses.tremorsense and not level_of(other)):
        return True
    veils = _veils(battle, viewer, other)
    if "fog" in veils or (veils and feet > _sight_in_darkness(viewer)):
        return False
    if feet <= max(senses.darkvision, senses.truesight):
        return True
    return any(light_at(battle, square) is not Light.DARK for square in squares_of(other))


def _blindsight(viewer: Combatant) -> int:
    """The range of its blindsight in feet; 0 for a deafened creature with echolocation."""
    sheet = sheet_of(viewer)
    return 0 if "echolocation" in sheet.features and viewer.has(DEAFENED) else sheet.senses.blindsight


def senses_invisible(viewer: Combatant, other: Combatant) -> bool:
    """Whether truesight or blindsight defeats the invisibility of another combatant, or Faerie Fire outlines it."""
    return other.has(OUTLINED) or is_beyond_illusions(viewer, other)


def is_beyond_illusions(viewer: Combatant, other: Combatant) -> bool:
    """Whether another combatant is within the range of its truesight or blindsight."""
    feet = max(sheet_of(viewer).senses.truesight, _blindsight(viewer))
    return feet > 0 and 5 * steps_between(viewer, other) <= feet


def _sight_in_darkness(viewer: Combatant) -> int:
    """How far it sees in magical darkness, in feet."""
    sheet = sheet_of(viewer)
    return max(sheet.senses.truesight, sheet.senses.darkvision if "devils_sight" in sheet.features else 0)


def hides_anybody(battle: Battle) -> bool:
    """Whether darkness or fog could hide any combatant. A cheap check, because every attack asks."""
    if battle.encounter.options.get("light") == Light.DARK:
        return True
    return bool([one for one in battle.combatants.values() if ZONE in one.conditions and one.present])


def _veils(battle: Battle, viewer: Combatant, other: Combatant) -> list[str]:
    """The zones of fog and magical darkness that hide one of the two from the other."""
    return [
        instance.data["obscures"]
        for owner in battle.present()
        if (held := owner.conditions.get(ZONE)) is not None
        for instance in instances_of(held)
        if "obscures" in instance.data and _hides(instance.data["squares"], viewer, other)
    ]


def _hides(squares: list[list[int]], viewer: Combatant, other: Combatant) -> bool:
    veiled = {(x, y) for x, y in squares}
    return any(veiled.issuperset(squares_of(one)) for one in (viewer, other))


def light_at(battle: Battle, square: Position) -> Light:
    """The light on a square: the ambient light, or a brighter lamp or torch. Walls do not cast shadows."""
    ambient = Light(battle.encounter.options.get("light") or Light.BRIGHT)
    if ambient is Light.BRIGHT:
        return ambient
    found = [ambient, *(_given(lamp, feet) for lamp, feet in _lamps(battle, square))]
    return min(found, key=list(Light).index)


def _given(lamp: Lamp, feet: int) -> Light:
    if feet <= lamp.bright:
        return Light.BRIGHT
    return Light.DIM if feet <= lamp.bright + lamp.dim else Light.DARK


def _lamps(battle: Battle, square: Position) -> list[tuple[Lamp, int]]:
    """Every light with its distance from a square in feet."""
    lamps = [Lamp.model_validate(entry) for entry in battle.encounter.options.get("lights") or ()]
    fixed = [(lamp, 5 * distance(read_square(lamp.at), square)) for lamp in lamps]
    placed = [one for one in battle.present() if one.position]
    carried = [(TORCH, 5 * steps_to(one, square)) for one in placed if SHINING.intersection(one.conditions)]
    shed = [(lamp, 5 * steps_to(one, square)) for one in placed for lamp in sheet_of(one).loadout.lamps]
    return [*fixed, *carried, *shed]


HALF_COVER = 2
THREE_QUARTERS_COVER = 5

ZONE_IN_SIGHT = "dnd5e:condition:zone"

_FINE = 10
"""The width of a square in points, for lines drawn from corner to corner."""
_CORNERS = ((0, 0), (_FINE, 0), (0, _FINE), (_FINE, _FINE))


def in_line_of_sight(grid: Grid, one: Position, other: Position) -> bool:
    """Whether any line from a corner of one square to a corner of the other is clear."""
    return blocked_lines(grid, one, other) < len(_CORNERS)


def has_line(battle: Battle, one: Combatant, other: Combatant) -> bool:
    """Whether no wall blocks the line between the two. Always true without positions."""
    if one.position is None or other.position is None:
        return True
    grid = grid_of(battle.map)
    if width_of(one) == width_of(other) == 1:
        return not grid.has_walls or in_line_of_sight(grid, one.position, other.position)
    return any(in_line_of_sight(grid, *pair) for pair in product(_seen_at(grid, one), _seen_at(grid, other)))


def _seen_at(grid: Grid, combatant: Combatant) -> list[Position]:
    """The squares that it sees from and is seen at. A ruling may have put part of its space into a wall."""
    return [square for square in squares_of(combatant) if grid.is_open(square)]


def can_see(battle: Battle, viewer: Combatant, other: Combatant) -> bool:
    """Whether one combatant sees another. An unrevealed combatant is seen only by its own side."""
    if is_blinded(viewer) or is_unseen_by(battle, viewer.side, other):
        return False
    if is_concealed(other, but_not_invisible=senses_invisible(viewer, other)):
        return False
    if not has_line(battle, viewer, other):
        return False
    return perceives(battle, viewer, other)


def grade_of(cover: int) -> str:
    return "half" if cover == HALF_COVER else "three-quarters"


def has_clear_view(battle: Battle, viewer: Combatant, other: Combatant) -> bool:
    """Whether no wall is on the straight line between the middles of their spaces."""
    if viewer.position is None or other.position is None:
        return True
    ends = [_middle(combatant.position, width_of(combatant)) for combatant in (viewer, other) if combatant.position]
    return _is_clear(grid_of(battle.map), *ends)


@lru_cache(maxsize=16384)
def _is_clear(grid: Grid, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether no wall is on the straight line between two points."""
    from tcod.los import bresenham

    if not _walls_between(grid, (one[0] // _FINE, one[1] // _FINE), (other[0] // _FINE, other[1] // _FINE)):
        return True
    crossed = {(x // _FINE, y // _FINE) for x, y in bresenham(one, other).tolist()}
    return all(map(grid.is_open, crossed))


def _middle(place: Position, wide: int) -> tuple[int, int]:
    return place[0] * _FINE + wide * _FINE // 2, place[1] * _FINE + wide * _FINE // 2


def cover(battle: Battle, attacker: Combatant, target: Combatant) -> int:
    """The bonus of cover to the target's armour class: 0, 2 for half cover or 5 for three-quarters cover.

    Lines go from the attacker's best corner to each of the target's corners. If walls block one or two of them, the
    target has half cover; if they block three or four, three-quarters cover. A creature in the way gives half cover.
    """
    if width_of(attacker) == 1:
        return cover_from(battle, attacker.position, target)
    return min(
        (cover_from(battle, square, target, attacker) for square in _seen_at(grid_of(battle.map), attacker)), default=0
    )


def cover_from(battle: Battle, here: Position | None, target: Combatant, attacker: Combatant | None = None) -> int:
    """The cover against an effect that comes from a square, which also counts for Dexterity saves.
    For a large target, the square with the least cover counts, because an attacker would aim there.
    """
    there = target.position
    if here is None or there is None:
        return 0
    if width_of(target) == 1:
        return _cover_between(battle, here, there, (attacker, target))
    return min(
        _cover_between(battle, here, square, (attacker, target)) for square in _seen_at(grid_of(battle.map), target)
    )


def _cover_between(battle: Battle, here: Position, there: Position, ends: tuple[Combatant | None, ...]) -> int:
    if distance(here, there) <= 1:
        return 0
    grid = grid_of(battle.map)
    blocked = blocked_lines(grid, here, there)
    if blocked >= 3:
        return THREE_QUARTERS_COVER
    if _shield_between(battle, here, there):
        return THREE_QUARTERS_COVER
    return HALF_COVER if blocked or _body_between(battle, here, there, ends) else 0


def _shield_between(battle: Battle, here: Position, there: Position) -> bool:
    """Whether a magical wall that gives cover is on the line between two squares."""
    held = [own.conditions[ZONE_IN_SIGHT] for own in battle.combatants.values() if ZONE_IN_SIGHT in own.conditions]
    zones = [one for zone in held for one in instances_of(zone) if SHIELDS in one.data]
    if not zones:
        return False
    from tcod.los import bresenham

    way = [[int(x), int(y)] for x, y in bresenham(here, there)][1:-1]
    return any(square in zone.data["squares"] for zone in zones for square in way)


def _walls_between(grid: Grid, one: Position, other: Position) -> bool:
    left, right = sorted((one[0], other[0]))
    top, bottom = sorted((one[1], other[1]))
    crossed = [row[left : right + 1] for row in grid.rows[top : bottom + 1]]
    return any(WALL in row for row in crossed) or (grid.has_doors and any(DOOR in row for row in crossed))


@lru_cache(maxsize=16384)
def blocked_lines(grid: Grid, here: Position, there: Position) -> int:
    """How many of the four lines from the best corner of one square to the corners of the other are blocked."""
    if not _walls_between(grid, here, there):
        return 0
    import numpy as np

    columns, rows, firsts, crosses = _lines(there[0] - here[0], there[1] - here[1])
    solid = grid.solid[rows + (here[1] + 1), columns + (here[0] + 1)]
    # Nothing passes between two walls that touch at a corner.
    is_pinched = (solid[0] & solid[3] & ~solid[1] & ~solid[2]) | (solid[1] & solid[2] & ~solid[0] & ~solid[3])
    blocked = np.logical_or.reduceat(solid.all(axis=0) | (is_pinched & crosses), firsts)
    return int(blocked.reshape(len(_CORNERS), len(_CORNERS)).sum(axis=1).min())


@lru_cache(maxsize=2048)
def _lines(right: int, down: int) -> tuple[Any, Any, list[int], Any]:
    """The lines from each corner of a square to each corner of another one, `right` and `down` squares away.
    Returns the columns and rows, relative to the first square, of the up to four squares that each point belongs to: a
    point on an edge belongs to both sides. Then the index of each line's first point, and whether the line crosses each
    point: it does not if it ends there and comes from the side of its own square.
    """
    import numpy as np
    from tcod.los import bresenham

    offset = (right * _FINE, down * _FINE)
    pairs = [(start, end) for start in _CORNERS for end in _CORNERS]
    lines = [bresenham(start, (end[0] + offset[0], end[1] + offset[1])) for start, end in pairs]
    crosses = np.concatenate([_crossed(line, start, end) for line, (start, end) in zip(lines, pairs, strict=True)])
    firsts = [0, *np.cumsum([len(line) for line in lines])[:-1].tolist()]
    (before_x, before_y), (x, y) = (np.concatenate(lines).T - 1) // _FINE, np.concatenate(lines).T // _FINE
    return np.array([before_x, x, before_x, x]), np.array([before_y, before_y, y, y]), firsts, crosses


def _crossed(line: Any, start: tuple[int, int], end: tuple[int, int]) -> Any:
    """Whether a line crosses each of its points, given the corners of the squares at which it starts and ends."""
    import numpy as np

    crossed = np.ones(len(line), dtype=bool)
    way = line[-1] - line[0]
    crossed[0] = _leaves(start, way)
    crossed[-1] = _leaves(end, -way) and crossed[0] if len(line) == 1 else _leaves(end, -way)
    return crossed


def _leaves(corner: tuple[int, int], way: Any) -> bool:
    """Whether a line leaves a square at this corner."""
    return all((1 if at else -1) * along >= 0 for at, along in zip(corner, way, strict=True))


def _body_between(battle: Battle, here: Position, there: Position, ends: tuple[Combatant | None, ...]) -> bool:
    bodies = [
        square
        for other in battle.present()
        if other.position is not None and not is_dead(other) and other not in ends
        for square in ((other.position,) if width_of(other) == 1 else squares_of(other))
        if square not in (here, there) and _in_box(square, here, there)
    ]
    if not bodies:
        return False
    from tcod.los import bresenham

    way = [(int(x), int(y)) for x, y in bresenham(here, there)]
    return any(body in way for body in bodies)


def _in_box(place: Position, one: Position, other: Position) -> bool:
    return all(min(one[axis], other[axis]) <= place[axis] <= max(one[axis], other[axis]) for axis in (0, 1))
