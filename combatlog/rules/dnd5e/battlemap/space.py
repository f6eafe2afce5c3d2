"""The space that a creature takes up: a square block according to its size, one square narrower while it squeezes."""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.engine.grid.squares import block, distance, steps_apart
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

AIRBORNE = "dnd5e:condition:airborne"
RIDING = "dnd5e:condition:riding"
RIDDEN = "dnd5e:condition:ridden"
SQUEEZING = "dnd5e:condition:squeezing"
_DEAD = "dnd5e:condition:dead"


def full_width(combatant: Combatant) -> int:
    """The width of its space in squares, when not squeezing."""
    return sheet_of(combatant).squares


def width_of(combatant: Combatant) -> int:
    """The current width of its space in squares. A rider has its mount's space."""
    wide, held = sheet_of(combatant).squares, combatant.conditions
    if not held:
        return wide
    if RIDING in held:
        return int(held[RIDING].data.get("wide", wide))
    return wide - 1 if wide > 1 and SQUEEZING in held else wide


def squares_of(combatant: Combatant) -> list[Position]:
    """The squares that it covers; none without a position."""
    if combatant.position is None:
        return []
    wide = width_of(combatant)
    return [combatant.position] if wide == 1 else block(combatant.position, wide, wide)


def level_of(combatant: Combatant) -> int:
    """Its altitude in squares; 0 unless it flies."""
    if not combatant.conditions:
        return 0
    held = combatant.conditions.get(AIRBORNE)
    return int(held.data.get("feet", 10)) // 5 if held is not None else 0


def steps_above(one: Combatant, other: Combatant) -> int:
    """The vertical distance between two spaces, in steps."""
    low, high = level_of(one), level_of(other)
    if low == high:
        return 0
    return max(high - (low + width_of(one) - 1), low - (high + width_of(other) - 1), 0)


def covers(combatant: Combatant, square: Position) -> bool:
    place = combatant.position
    if place is None:
        return False
    if place == square:
        return True
    wide = width_of(combatant)
    return wide > 1 and 0 <= square[0] - place[0] < wide and 0 <= square[1] - place[1] < wide


def occupant_of(battle: Battle, square: Position) -> Combatant | None:
    """The combatant who occupies a square on the ground. Dead and airborne combatants do not."""
    here = (one for one in battle.combatants.values() if one.present and covers(one, square))
    return next((one for one in here if _DEAD not in one.conditions and not level_of(one)), None)


def others_in(battle: Battle, mover: Combatant, place: Position, wide: int) -> list[Combatant]:
    """The living combatants whose space overlaps with the one that the mover would have."""
    return [
        other
        for other in battle.present()
        if other is not mover
        and other.position is not None
        and not steps_apart(place, wide, other.position, width_of(other))
        and not _ride_together(mover, other)
        and _DEAD not in other.conditions
        and not steps_above(mover, other)
    ]


def _ride_together(one: Combatant, other: Combatant) -> bool:
    """Whether one of the two carries the other."""
    if not one.conditions or not other.conditions:
        return False
    held = one.conditions.get(RIDING) or one.conditions.get(RIDDEN)
    return held is not None and held.owner == other.id


def steps_between(one: Combatant, other: Combatant) -> int:
    """The number of steps between two creatures, from the edges of their spaces; 0 without positions."""
    if one.position is None or other.position is None:
        return 0
    return steps_from(one.position, one, other)


def steps_from(place: Position, one: Combatant, other: Combatant) -> int:
    """The same, as if the first creature were at a given place."""
    assert other.position is not None
    if not one.conditions and not other.conditions and sheet_of(one).squares == sheet_of(other).squares == 1:
        return distance(place, other.position)  # the most frequent case
    wide, other_wide = width_of(one), width_of(other)
    if wide == other_wide == 1:
        along = distance(place, other.position)
    else:
        along = steps_apart(place, wide, other.position, other_wide)
    return max(along, steps_above(one, other)) if one.conditions or other.conditions else along


def steps_towards(one: Combatant, other: Combatant) -> Callable[[Position], int]:
    """A function from a place to the distance that another creature would have; faster for many places."""
    there, wide, other_wide, above = other.position, width_of(one), width_of(other), steps_above(one, other)
    assert there is not None
    if wide == other_wide == 1 and not above:
        return lambda place: distance(place, there)
    return lambda place: max(steps_apart(place, wide, there, other_wide), above)


def steps_to(combatant: Combatant, square: Position) -> int:
    """The number of steps from the edge of a combatant's space to a square."""
    assert combatant.position is not None
    return max(steps_apart(combatant.position, width_of(combatant), square, 1), level_of(combatant))


def nearest_square(combatant: Combatant, square: Position) -> Position:
    """The square of a combatant's space that is nearest to another square."""
    assert combatant.position is not None
    if width_of(combatant) == 1:
        return combatant.position
    return min(squares_of(combatant), key=lambda own: (distance(own, square), own[1], own[0]))
