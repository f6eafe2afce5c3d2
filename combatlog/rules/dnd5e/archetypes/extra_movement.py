"""Extra movement: part of a legendary action, or a separate action on top of the turn's movement."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from combatlog.rules.dnd5e.archetypes.registry import archetype, options
from combatlog.rules.dnd5e.archetypes.spells_and_special_actions import SpecialAction
from combatlog.rules.dnd5e.battlemap.movement import check_can_move, check_steps, path_costs, speed_of, walk
from combatlog.rules.dnd5e.battlemap.paths import find_path, path_seen, require_clear_path, usual_gait
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import STEP, Gait
from combatlog.rules.dnd5e.combatant_state import afflict, end_condition
from combatlog.rules.dnd5e.creatures.sheet import ExtraMovement
from combatlog.rules.engine.grid.visible_paths import as_seen
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

DISENGAGING = "dnd5e:condition:disengaging"


def check_extra_movement(
    battle: Battle, mover: Combatant, stride: ExtraMovement, to: Position | None, seen: Battle | None = None
) -> None:
    """Refuse a place that is too far or unreachable. The path is found in the state `seen`."""
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
    # Checked last, so that the refusal of a place too far away does not reveal who is there.
    require_clear_path(battle, seen, mover, path, gait)


def take_extra_movement(
    table: Table,
    mover: Combatant,
    stride: ExtraMovement,
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


def reach_of(battle: Battle, mover: Combatant, stride: ExtraMovement) -> int:
    """How far it can go, in feet; half a speed is rounded down to whole steps."""
    speed = speed_of(mover, _gait(battle, mover, stride))
    return speed if stride.share == "full" else speed // (2 * STEP) * STEP


def _gait(battle: Battle, mover: Combatant, stride: ExtraMovement) -> Gait:
    return Gait(stride.gait) if stride.gait is not None else usual_gait(battle, mover)


@archetype("stride", "actions", "features")
@options
class SpecialExtraMovement(SpecialAction):
    """Move up to the full or half speed, on top of the turn's movement."""

    share: Annotated[Literal["half", "full"], Field(description="how much of its speed")] = "full"
    gait: Annotated[Literal["walk", "fly", "swim"] | None, Field(description="mode of movement; any if omitted")] = None
    slips: Annotated[bool, Field(description="it provokes no opportunity attacks")] = False
    range = 0
    tags = ("movement",)
    parts = frozenset({Part.DESTINATION})

    @property
    def stride(self) -> ExtraMovement:
        return ExtraMovement(share=self.share, gait=self.gait, slips=self.slips)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_can_move(actor)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        seen = as_seen(table.battle, actor, declared)
        check_extra_movement(table.battle, actor, self.stride, declared.destination, seen)

    def take_effect(self, table: Table, actor: Combatant, declared: Declared) -> None:
        assert declared.destination is not None
        seen = as_seen(table.battle, actor, declared)
        take_extra_movement(table, actor, self.stride, declared.destination, self.name, self.ref, seen)
