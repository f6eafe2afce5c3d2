"""A planned movement: which path, in which way, how high, and whether there is enough movement left for it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from combatlog.rules.dnd5e.economy import MOVEMENT
from combatlog.rules.dnd5e.holds import burden_of
from combatlog.rules.dnd5e.paths import gait_at, path_costs, path_via
from combatlog.rules.dnd5e.space import AIRBORNE, level_of
from combatlog.rules.dnd5e.speed import STEP, Gait, has_gait, movement_left, speed_of
from combatlog.rules.dnd5e.state import afflict, end_condition
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

FLIGHT = "dnd5e:rule:flying"


class Route(NamedTuple):
    path: list[Position]
    gait: Gait
    cost: int
    """In feet, with what climbing or sinking costs beyond the way itself."""
    climb: int
    """What changing its altitude costs on top of the steps."""
    missing: int
    """How many feet of movement are missing for it."""


def planned(
    battle: Battle,
    mover: Combatant,
    goal: Position | None,
    via: Sequence[Position] = (),
    gait: Gait | None = None,
    altitude: int | None = None,
    dragged: Sequence[Combatant] = (),
) -> Route:
    """The route in the way that was named; else on foot or, if that does not get there and it can fly, by air."""
    is_up = bool(level_of(mover) or altitude)
    if gait is not None or is_up:
        return _route(battle, mover, goal, via, gait or Gait.FLY, altitude, dragged)
    if not has_gait(mover, Gait.FLY):
        return _route(battle, mover, goal, via, Gait.WALK, altitude, dragged)
    try:
        on_foot = _route(battle, mover, goal, via, Gait.WALK, altitude, dragged)
    except Refusal:
        return _route(battle, mover, goal, via, Gait.FLY, altitude, dragged)
    return _route(battle, mover, goal, via, Gait.FLY, altitude, dragged) if on_foot.missing else on_foot


def _route(
    battle: Battle,
    mover: Combatant,
    goal: Position | None,
    via: Sequence[Position],
    gait: Gait,
    altitude: int | None,
    dragged: Sequence[Combatant],
) -> Route:
    up = abs(altitude - STEP * level_of(mover)) if altitude is not None else 0
    stays = up > 0 and goal in (None, mover.position)
    path = [] if stays else path_via(battle, mover, via, goal, gait)
    burden = burden_of(mover, dragged)
    costs = [burden * cost for cost in path_costs(battle, mover, path, gait=gait)]
    climb = max(0, up - STEP * len(path))
    gaits = [gait_at(battle, mover, place, gait) for place in path]
    short = [spent + climb - movement_left(mover, how) for spent, how in zip(accumulate(costs), gaits, strict=True)]
    missing = max(0, climb - movement_left(mover, gait), *short)
    return Route(path, gait, sum(costs) + climb, climb, missing)


def check_way(battle: Battle, mover: Combatant, gait: Gait | None, altitude: int | None) -> None:
    """Refuse a way of moving that somebody does not have."""
    wanted = Gait.FLY if altitude else gait
    if wanted is None or wanted is Gait.WALK:
        return
    if altitude and gait not in (None, Gait.FLY):
        raise Refusal("move/altitude", f"{mover.name} has to fly to get up there.", who=mover.id)
    if not has_gait(mover, wanted) or speed_of(mover, wanted) == 0:
        raise Refusal(
            "move/no-such-speed",
            f"{mover.name} cannot {wanted}; choose another way to move.",
            who=mover.id,
            what=wanted.value,
        )


def change_altitude(table: Table, mover: Combatant, cost: int, altitude: int | None, why: str) -> None:
    """Rise or sink before the steps, for what that costs beyond them."""
    if altitude is None or altitude == STEP * level_of(mover):
        return
    if cost:
        table.spend(mover, MOVEMENT, cost, why)
    if altitude == 0:
        end_condition(table, mover, AIRBORNE, "landed")
    else:
        afflict(table, mover, AIRBORNE, source=FLIGHT, owner=mover.id, data={"feet": altitude})
