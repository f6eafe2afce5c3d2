"""Holds: who holds whom, when a hold ends, and how heavy somebody is to drag along."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.instances import REACH, causes_of, instances_of
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.speed import STEP
from combatlog.rules.dnd5e.state import GRAPPLED, end_hold
from combatlog.rules.engine.table import Table
from projections.battle import Battle
from projections.combatant import Combatant

LIGHTER = 2
"""How many sizes smaller somebody has to be to be no burden."""


def held_by(battle: Battle, grappler: Combatant) -> list[Combatant]:
    """Everybody in somebody's grip, in the order they joined."""
    return [other for other in battle.present() if grappler.id in causes_of(other, GRAPPLED)]


def burden_of(mover: Combatant, dragged: Sequence[Combatant]) -> int:
    """By what each step of somebody who drags others is multiplied: 2 halves the speed."""
    own = sheet_of(mover).size.rank
    return 2 if any(own - sheet_of(held).size.rank < LIGHTER for held in dragged) else 1


def let_go_apart(table: Table) -> None:
    """End every hold whose two are no longer within reach of each other."""
    for other in [one for one in table.battle.present() if one.has(GRAPPLED)]:
        end_apart(table, other)


def end_apart(table: Table, held: Combatant) -> None:
    for hold in instances_of(held.conditions[GRAPPLED]):
        grappler = table.battle.combatants.get(hold.owner)
        if grappler is not None and feet_between(grappler, held) > hold.data.get(REACH, STEP):
            end_hold(table, held, hold, f"out of {grappler.name}'s reach")
