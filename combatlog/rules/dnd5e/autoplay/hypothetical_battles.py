"""Hypothetical battles: copies in which only something differs, such as a moved combatant or an opened door."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import lru_cache

from combatlog.rules.dnd5e.battlemap.paths import is_tight, usual_gait
from combatlog.rules.dnd5e.battlemap.space import SQUEEZING, full_width
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.hazards_and_optional_rules import is_locked
from combatlog.rules.engine.grid.squares import Grid
from ledger.events import Data, Position
from projections.battle.clock_and_map import DOOR, FLOOR
from projections.battle.combatant import Combatant, Condition
from projections.battle.fold import Battle


def with_combatants(battle: Battle, *changed: Combatant) -> Battle:
    """The battle with some combatants replaced."""
    other = copy(battle)
    other.combatants = {**battle.combatants, **{combatant.id: combatant for combatant in changed}}
    return other


def standing_at(battle: Battle, combatant: Combatant, place: Position | None) -> Battle:
    """The battle with a combatant moved to a place, squeezing there if it has to."""
    there = replace(combatant, position=place)
    if full_width(combatant) > 1:
        tight = place is not None and is_tight(battle, combatant, place, usual_gait(battle, combatant))
        there.conditions = _squeezing_if(tight, combatant, battle.seq)
    return with_combatants(battle, there)


def _squeezing_if(tight: bool, combatant: Combatant, seq: int) -> dict[str, Condition]:
    others = {ref: held for ref, held in combatant.conditions.items() if ref != SQUEEZING}
    if tight:
        others[SQUEEZING] = Condition(SQUEEZING, "dnd5e:choosing:what_if", combatant.id, seq, None, None, {})
    return others


def without_places(battle: Battle) -> Battle:
    """The battle as if all combatants were within reach of each other."""
    read_sheets(battle)
    return with_combatants(battle, *[_without_place(combatant) for combatant in battle.combatants.values()])


def _without_place(combatant: Combatant) -> Combatant:
    conditions = combatant.conditions
    if SQUEEZING in conditions:
        conditions = {ref: held for ref, held in conditions.items() if ref != SQUEEZING}
    return replace(combatant, position=None, conditions=conditions)


def with_condition(battle: Battle, target: str, ref: str, owner: str, data: Data | None = None) -> Battle:
    held = Condition(ref, "dnd5e:choosing:what_if", owner, battle.seq, None, None, data or {})
    was = battle.combatants[target]
    return with_combatants(battle, replace(was, conditions={**was.conditions, ref: held}))


def without_condition(battle: Battle, target: str, ref: str) -> Battle:
    was = battle.combatants[target]
    left = {name: held for name, held in was.conditions.items() if name != ref}
    return with_combatants(battle, replace(was, conditions=left))


def read_sheets(battle: Battle) -> None:
    """Read every sheet before copying combatants; otherwise each copy would read it again."""
    for combatant in battle.combatants.values():
        sheet_of(combatant)


def closed_doors(battle: Battle, grid: Grid) -> tuple[Position, ...]:
    """The closed doors that are not locked, row by row."""
    return tuple(door for door in _doors(grid) if not is_locked(battle, door))


def locked_doors(battle: Battle, grid: Grid) -> tuple[Position, ...]:
    """The locked doors, row by row."""
    return tuple(door for door in _doors(grid) if is_locked(battle, door))


def _doors(grid: Grid) -> list[Position]:
    if not grid.has_doors:
        return []
    return [(x, y) for y, row in enumerate(grid.rows) for x, letter in enumerate(row) if letter == DOOR]


def as_if_opened(battle: Battle, grid: Grid) -> Grid:
    """The same squares with all unlocked doors open."""
    doors = closed_doors(battle, grid)
    return _opened(grid, doors) if doors else grid


def as_if_forced(grid: Grid) -> Grid:
    """The same squares with all doors open."""
    return _opened(grid, tuple(_doors(grid)))


@lru_cache(maxsize=64)
def _opened(grid: Grid, doors: tuple[Position, ...]) -> Grid:
    rows = [list(row) for row in grid.rows]
    for x, y in doors:
        rows[y][x] = FLOOR
    return Grid(tuple("".join(row) for row in rows))
