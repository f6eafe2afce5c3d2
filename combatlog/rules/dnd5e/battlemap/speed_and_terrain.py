"""Speed and terrain: the speed of each gait, and the ground that slows or stops it."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import cast

from combatlog.rules.dnd5e.battlemap.areas import Extent, Shape, covered
from combatlog.rules.dnd5e.combatant_state import is_hostile, those_with
from combatlog.rules.dnd5e.conditions.instances import Instance, instances_of
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.economy import DASHES, MOVEMENT
from combatlog.rules.dnd5e.modifiers import STAGES, bonus, value_of
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.engine.grid.squares import Grid, grid_for, grid_of
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import ChangeOp, Position
from projections.battle.clock_and_map import CHASM, CLIFF, DIFFICULT, FLOOR, SOLID, WALL, WATER
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

STEP = 5


class Gait(StrEnum):
    """A mode of movement."""

    WALK = "walk"
    FLY = "fly"
    SWIM = "swim"
    CLIMB = "climb"
    BURROW = "burrow"


_IN_WORDS = {
    Gait.WALK: "walking speed",
    Gait.FLY: "flying speed",
    Gait.SWIM: "swimming speed",
    Gait.CLIMB: "climbing speed",
    Gait.BURROW: "burrowing speed",
}


def printed_speed(sheet: Sheet, gait: Gait) -> int:
    """The speed on the sheet for a gait, in feet; 0 if it has none."""
    return sheet.speed if gait is Gait.WALK else cast(int, getattr(sheet.speeds, gait))


def speed_chain(combatant: Combatant, gait: Gait | None = None) -> ModifierChain:
    """The chain for the speed of a gait, by default the fastest one."""
    sheet = sheet_of(combatant)
    how = gait or Gait(sheet.fastest_gait)
    base = bonus("base", "dnd5e:score:speed", combatant.id, _IN_WORDS[how], printed_speed(sheet, how))
    chain = ModifierChain("speed", STAGES, [base])
    for contributor in those_with(Contributor.on_speed, combatant):
        chain.add(*contributor.on_speed(combatant))
    return chain


def speed_of(combatant: Combatant, gait: Gait | None = None) -> int:
    return max(0, value_of(speed_chain(combatant, gait)))


def has_gait(combatant: Combatant, gait: Gait) -> bool:
    return printed_speed(sheet_of(combatant), gait) > 0


def movement_left(combatant: Combatant, gait: Gait = Gait.WALK) -> int:
    """How many feet it can still move with this gait this turn."""
    left, sheet = combatant.economy.left(MOVEMENT), sheet_of(combatant)
    if sheet.fastest_gait == gait:
        return left
    slower = speed_of(combatant) - speed_of(combatant, gait)
    return max(0, left - slower * (1 + combatant.economy.left(DASHES)))


def dash(table: Table, actor: Combatant) -> None:
    """Gain movement equal to the actor's speed, with whichever gait it moves."""
    table.gain(actor, MOVEMENT, speed_of(actor), "dash")
    if sheet_of(actor).fastest_gait != Gait.WALK:
        table.gain(actor, DASHES, 1, "dash")


def check_can_move(combatant: Combatant) -> None:
    if speed_of(combatant) == 0:
        causes = [m.reason for m in speed_chain(combatant) if m.change.op is ChangeOp.MULTIPLY]
        why = f" ({causes[-1]})" if causes else ""
        raise Refusal(
            "move/speed-0",
            f"{combatant.name}'s speed is 0{why}; it cannot move until that ends.",
            who=combatant.id,
            needed=STEP,
            available=0,
        )


_SPECIAL = (WATER, CLIFF, CHASM)


def ground_for(battle: Battle, mover: Combatant, gait: Gait = Gait.WALK) -> Grid:
    """The ground as a creature with this gait crosses it, regardless of its size."""
    ground = _ground(grid_of(battle.map), _meaning(mover, gait))
    return _without_walls(ground) if sheet_of(mover).is_incorporeal else ground


def places_for(battle: Battle, mover: Combatant, gait: Gait = Gait.WALK) -> Grid:
    """The same for the position of its whole space: a large creature has to fit in, or squeeze."""
    ground, wide = ground_for(battle, mover, gait), sheet_of(mover).squares
    return ground if wide == 1 else grid_for(ground, wide)


def _meaning(mover: Combatant, gait: Gait) -> str:
    """The terrain that difficult terrain, water, cliffs and chasms amount to with this gait, one letter for each."""
    if gait in (Gait.FLY, Gait.BURROW):
        return FLOOR * 4 if gait is Gait.FLY else FLOOR + WALL + FLOOR + WALL
    speeds = sheet_of(mover).speeds
    return DIFFICULT + (FLOOR if speeds.swim else DIFFICULT) + (FLOOR if speeds.climb else DIFFICULT) + WALL


@lru_cache(maxsize=16)
def _without_walls(grid: Grid) -> Grid:
    """The ground for an incorporeal creature: walls and doors are difficult terrain."""
    letters = str.maketrans(dict.fromkeys(SOLID, DIFFICULT))
    return Grid(tuple(row.translate(letters) for row in grid.rows))


@lru_cache(maxsize=64)
def _ground(grid: Grid, meaning: str) -> Grid:
    if meaning[0] == DIFFICULT and not any(letter in row for row in grid.rows for letter in _SPECIAL):
        return grid
    letters = str.maketrans(dict(zip((DIFFICULT, *_SPECIAL), meaning, strict=True)))
    return Grid(tuple(row.translate(letters) for row in grid.rows))


ZONE = "dnd5e:condition:zone"
AROUND = "around"
"""Data of a zone that moves with its owner: its radius in feet."""


def squares_of_zone(battle: Battle, owner: Combatant, instance: Instance) -> list[Position]:
    """The squares where a zone is now."""
    if AROUND in instance.data and owner.position is not None:
        extent = Extent(Shape.SPHERE, instance.data[AROUND])
        return covered(grid_of(battle.map), extent, owner.position, owner.position)
    return [(x, y) for x, y in instance.data.get("squares", ())]


def rough_squares(battle: Battle, mover: Combatant) -> list[Position]:
    """The squares that spell zones make difficult terrain for the mover."""
    return [
        square
        for owner in battle.combatants.values()
        if owner.conditions and owner.present and (held := owner.conditions.get(ZONE)) is not None
        for instance in instances_of(held)
        if instance.data.get("effect", {}).get("difficult") and _counts(owner, mover, instance)
        for square in squares_of_zone(battle, owner, instance)
    ]


def _counts(owner: Combatant, mover: Combatant, instance: Instance) -> bool:
    return is_hostile(owner, mover) or not instance.data["effect"].get("spares_friends")
