"""Falling: 1d6 bludgeoning damage for every 10 feet, at most 20d6; whoever takes damage lands prone."""

from __future__ import annotations

from combatlog.rules.dnd5e.damage import hurt
from combatlog.rules.dnd5e.movement import make_room
from combatlog.rules.dnd5e.space import AIRBORNE
from combatlog.rules.dnd5e.state import afflict, end_condition, is_dead
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.dnd5e.words import DamageType
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

FALL = "dnd5e:rule:falling"


def fall(table: Table, combatant: Combatant, feet: int) -> None:
    """Come down from so many feet."""
    end_condition(table, combatant, AIRBORNE, "fell")
    dice = min(20, feet // 10)
    if dice and not is_dead(combatant):
        rolled = table.roll("falling", combatant.id, f"{dice}d6")
        hurt(table, combatant, rolled.total, DamageType.BLUDGEONING)
        if not combatant.has(PRONE) and not is_dead(combatant):
            afflict(table, combatant, PRONE, source=FALL, owner=combatant.id)
    make_room(table, combatant)
