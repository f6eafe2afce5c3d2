from __future__ import annotations

from combatlog.rules.dnd5e.falling import fall
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.space import level_of
from combatlog.rules.dnd5e.speed import speed_of
from combatlog.rules.dnd5e.state import can_act
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class Airborne(Condition):
    """In the air, above those on the ground. It falls if it is knocked prone, cannot act or has no speed left."""

    name = "airborne"
    is_single = True

    def after_affliction(self, table: Table, owner: Combatant) -> None:
        if sheet_of(owner).speeds.hover and not owner.has("dnd5e:condition:dead"):
            return
        if owner.has(PRONE) or not can_act(owner) or speed_of(owner) == 0:
            fall(table, owner, 5 * level_of(owner))
