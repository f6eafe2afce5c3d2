"""A rider and its mount."""

from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Step
from combatlog.rules.dnd5e.economy import REACTION
from combatlog.rules.dnd5e.mounts import carry_along, get_off, mount_of, part, rider_of
from combatlog.rules.dnd5e.movement import settle
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.space import RIDDEN, RIDING
from combatlog.rules.dnd5e.state import afflict, can_act
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class Riding(Condition):
    """On a mount, which carries it along. It falls off if it is knocked prone or cannot act."""

    name = "riding"
    is_single = True

    def after_step(self, table: Table, step: Step, owner: Combatant) -> None:
        mount = mount_of(table.battle, owner)
        if mount is step.mover:
            carry_along(table, mount)

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        mount = mount_of(table.battle, owner)
        if mount is None or not mount.present or mount.position != owner.position:  # a ruling put them apart
            get_off(table, owner, "apart")

    def at_end(self, table: Table, owner: Combatant) -> None:
        part(table, mount_of(table.battle, owner), RIDDEN)

    def after_affliction(self, table: Table, owner: Combatant) -> None:
        if owner.has(PRONE) or not can_act(owner):
            fall_off(table, owner)

    def forbids_step(self, battle: object, owner: Combatant, origin: object, to: object) -> str | None:
        return f"{owner.name} rides; its mount moves"


@piece
class Ridden(Condition):
    """Carries a rider. If it is knocked prone or falls, its rider gets off."""

    name = "ridden"
    is_single = True

    def at_end(self, table: Table, owner: Combatant) -> None:
        part(table, rider_of(table.battle, owner), RIDING)

    def after_affliction(self, table: Table, owner: Combatant) -> None:
        rider = rider_of(table.battle, owner)
        if rider is not None and (owner.has(PRONE) or not can_act(owner)):
            fall_off(table, rider)


def fall_off(table: Table, rider: Combatant) -> None:
    """Land prone next to the mount; a reaction is enough to land on one's feet."""
    if not rider.has(RIDING):
        return
    get_off(table, rider, "fell off")
    if rider.position is not None:
        settle(table, rider, rider.position)
    if can_act(rider) and rider.economy.left(REACTION):
        table.spend(rider, REACTION, 1, "lands on its feet")
    elif not rider.has(PRONE):
        afflict(table, rider, PRONE, source="dnd5e:rule:mounts", owner=rider.id)
