"""Movement that does not come out of a turn's: part of a legendary action, or a bonus action of its own."""

from __future__ import annotations

from combatlog.rules.dnd5e.body import Stride
from combatlog.rules.dnd5e.movement import check_can_move, check_steps, path_costs, speed_of, walk
from combatlog.rules.dnd5e.paths import find_path, path_seen, require_clear_path, usual_gait
from combatlog.rules.dnd5e.speed import STEP, Gait
from combatlog.rules.dnd5e.state import afflict, end_condition
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

DISENGAGING = "dnd5e:condition:disengaging"


def check_stride(
    battle: Battle, mover: Combatant, stride: Stride, to: Position | None, seen: Battle | None = None
) -> None:
    """Refuse a place that is too far, or that no way leads to; `seen` is the state in which a way is looked for."""
    check_can_move(mover)
    gait = _gait(battle, mover, stride)
    seen = seen or battle
    path = find_path(seen, mover, to, gait)
    check_steps(seen, mover, path)
    cost, most = sum(path_costs(seen, mover, path, gait=gait)), reach_of(battle, mover, stride)
    if cost > most:
        raise Refusal(
            "stride/too-far",
            f"That path costs {cost} feet and {mover.name} can move {most} feet now; choose a nearer square.",
            who=mover.id,
            needed=cost,
            available=most,
        )
    # Last, so that a place which is too far away never tells who is there.
    require_clear_path(battle, seen, mover, path, gait)


def take_stride(
    table: Table,
    mover: Combatant,
    stride: Stride,
    to: Position,
    why: str,
    source: str,
    seen: Battle | None = None,
) -> None:
    battle = table.battle
    gait = _gait(battle, mover, stride)
    slips = stride.slips and not mover.has(DISENGAGING)
    if slips:
        afflict(table, mover, DISENGAGING, source=source, owner=mover.id)
    walk(table, mover, path_seen(battle, seen or battle, mover, to, gait), why, pays=False, gait=gait)
    if slips:
        end_condition(table, mover, DISENGAGING, "has moved")


def reach_of(battle: Battle, mover: Combatant, stride: Stride) -> int:
    """How far it can go, in feet; half of a speed counts in whole steps."""
    speed = speed_of(mover, _gait(battle, mover, stride))
    return speed if stride.share == "full" else speed // (2 * STEP) * STEP


def _gait(battle: Battle, mover: Combatant, stride: Stride) -> Gait:
    return Gait(stride.gait) if stride.gait is not None else usual_gait(battle, mover)
