"""Dragging grappled creatures along, and mounts that carry riders."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.dnd5e.battlemap.space import RIDDEN, RIDING, full_width
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import STEP
from combatlog.rules.dnd5e.combatant_state import GRAPPLED, afflict, end_condition, end_hold
from combatlog.rules.dnd5e.conditions.instances import REACH, causes_of, instances_of
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.engine.resolution.table import Table
from ledger.events import InitiativeSet
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

LIGHTER = 2
"""How many sizes smaller a creature has to be not to slow its grappler down."""


def held_by(battle: Battle, grappler: Combatant) -> list[Combatant]:
    """The creatures that a combatant has grappled, in the order they joined."""
    return [other for other in battle.present() if grappler.id in causes_of(other, GRAPPLED)]


def burden_of(mover: Combatant, dragged: Sequence[Combatant]) -> int:
    """The factor on the cost of each step while dragging others; 2 halves the speed."""
    own = sheet_of(mover).size.rank
    return 2 if any(own - sheet_of(held).size.rank < LIGHTER for held in dragged) else 1


def let_go_apart(table: Table) -> None:
    """End every hold where grappler and target are no longer within reach of each other."""
    for other in [one for one in table.battle.present() if one.has(GRAPPLED)]:
        end_apart(table, other)


def end_apart(table: Table, held: Combatant) -> None:
    for hold in instances_of(held.conditions[GRAPPLED]):
        grappler = table.battle.combatants.get(hold.owner)
        if grappler is not None and feet_between(grappler, held) > hold.data.get(REACH, STEP):
            end_hold(table, held, hold, f"out of {grappler.name}'s reach")


def mount_of(battle: Battle, rider: Combatant) -> Combatant | None:
    held = rider.conditions.get(RIDING)
    return battle.combatants.get(held.owner) if held is not None else None


def rider_of(battle: Battle, mount: Combatant) -> Combatant | None:
    held = mount.conditions.get(RIDDEN)
    return battle.combatants.get(held.owner) if held is not None else None


def get_on(table: Table, rider: Combatant, mount: Combatant, source: str, *, independent: bool) -> None:
    """Mount. A controlled mount takes its turns right before the rider's."""
    data = {"independent": True} if independent else {}
    afflict(table, mount, RIDDEN, source=source, owner=rider.id, data=data)
    afflict(table, rider, RIDING, source=source, owner=mount.id, data={"wide": full_width(mount)})
    if mount.position is not None:
        table.move(rider, mount.position)
    if not independent:
        _take_turns_together(table, rider, mount)


def _take_turns_together(table: Table, rider: Combatant, mount: Combatant) -> None:
    order = table.battle.clock.order
    places = {entry.combatant: entry for entry in order}
    if rider.id not in places or mount.id not in places:
        return
    others = [entry for entry in order if entry.combatant != mount.id]
    at = next(index for index, entry in enumerate(others) if entry.combatant == rider.id)
    joined = places[mount.id].model_copy(update={"value": places[rider.id].value})
    table.record(InitiativeSet, order=(*others[:at], joined, *others[at:]))


def get_off(table: Table, rider: Combatant, why: str) -> None:
    """Dismount. Ending the rider's condition also ends the mount's."""
    end_condition(table, rider, RIDING, why)


def part(table: Table, other: Combatant | None, condition: str) -> None:
    """End the counterpart of a riding or ridden condition that is ending."""
    if other is not None and other.has(condition):
        table.remove_condition(other, condition, "rider and mount are apart")


def carry_along(table: Table, mount: Combatant) -> None:
    """Move the rider to where its mount is."""
    rider = rider_of(table.battle, mount)
    if rider is not None and rider.has(RIDING) and mount.position is not None:
        table.move(rider, mount.position, forced=True)
