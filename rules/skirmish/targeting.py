"""Who can be targeted: adjacency, line of sight and reach."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted
from rules.engine.grid import Grid, distance, grid_of
from rules.engine.refusal import Refusal
from rules.skirmish.sheet import figure_sheet, figures_in_play, is_in_play

REACH = 2


def place_of(figure: Combatant) -> Position:
    if figure.position is None:
        raise Refusal("place/none", f"{figure.id} has no place on the map; a ruling can give it one.", who=figure.id)
    return figure.position


def spaces_between(one: Combatant, other: Combatant) -> int:
    return distance(place_of(one), place_of(other))


def is_adjacent(one: Combatant, other: Combatant) -> bool:
    return one is not other and spaces_between(one, other) <= 1


def sees(grid: Grid, one: Position, other: Position) -> bool:
    """Whether no wall blocks the line between two places, in either direction. Figures do not block it."""
    return _is_clear(grid, one, other) or _is_clear(grid, other, one)


def _is_clear(grid: Grid, start: Position, end: Position) -> bool:
    from tcod import los

    return all(grid.is_open((int(x), int(y))) for x, y in los.bresenham(start, end)[1:-1])


def friends_adjacent_to(battle: Battle, figures: Iterable[Combatant]) -> list[Combatant]:
    """Friendly figures next to any of these figures, without those themselves."""
    centre = list(figures)
    return [
        other
        for other in figures_in_play(battle)
        if other not in centre and any(other.side == one.side and is_adjacent(one, other) for one in centre)
    ]


def obstacle_to_target(battle: Battle, attacker: Combatant, target: Combatant) -> str | None:
    """Why a figure cannot be the target of an attack, in words; None if it can."""
    if not is_in_play(target):
        return f"{target.id} is not a figure on the map"
    if target.side == attacker.side:
        return f"{target.id} is not hostile"
    spaces = spaces_between(attacker, target)
    is_seen = sees(grid_of(battle.encounter.map), place_of(attacker), place_of(target))
    sheet = figure_sheet(attacker)
    if sheet.ranged:
        return None if is_seen else f"{attacker.id} has no line of sight to {target.id}"
    if spaces <= 1 or (sheet.reach and spaces <= REACH and is_seen):
        return None
    within = f"figures within {REACH} spaces in line of sight" if sheet.reach else "adjacent figures"
    return f"{target.id} is {counted(spaces, 'space')} away, and {attacker.id} can only attack {within}"


def targets_of(battle: Battle, attacker: Combatant) -> list[Combatant]:
    return [other for other in figures_in_play(battle) if obstacle_to_target(battle, attacker, other) is None]
