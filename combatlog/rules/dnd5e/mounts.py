"""Riders and mounts: they share the mount's space, and the rider is carried along.

The condition of the rider is owned by the mount, and that of the mount by the rider. A controlled mount takes its turns
right before its rider's, and only moves, dashes, disengages and dodges; an independent one acts as it likes.
"""

from __future__ import annotations

from combatlog.rules.dnd5e.space import RIDDEN, RIDING, full_width
from combatlog.rules.dnd5e.state import afflict, end_condition
from combatlog.rules.engine.table import Table
from ledger.events import InitiativeSet
from projections.battle import Battle
from projections.combatant import Combatant


def mount_of(battle: Battle, rider: Combatant) -> Combatant | None:
    held = rider.conditions.get(RIDING)
    return battle.combatants.get(held.owner) if held is not None else None


def rider_of(battle: Battle, mount: Combatant) -> Combatant | None:
    held = mount.conditions.get(RIDDEN)
    return battle.combatants.get(held.owner) if held is not None else None


def get_on(table: Table, rider: Combatant, mount: Combatant, source: str, *, independent: bool) -> None:
    """The rider takes its place on the mount, and a controlled mount takes its turns right before the rider's."""
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
    """Both are free of each other, whichever condition ends first."""
    end_condition(table, rider, RIDING, why)


def part(table: Table, other: Combatant | None, condition: str) -> None:
    """One of the two conditions is ending, so the other one ends as well."""
    if other is not None and other.has(condition):
        table.remove_condition(other, condition, "rider and mount are apart")


def carry_along(table: Table, mount: Combatant) -> None:
    """Put the rider where its mount is."""
    rider = rider_of(table.battle, mount)
    if rider is not None and rider.has(RIDING) and mount.position is not None:
        table.move(rider, mount.position, forced=True)
