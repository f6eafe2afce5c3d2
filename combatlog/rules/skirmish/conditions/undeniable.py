from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.library import name_of
from combatlog.rules.skirmish.pieces import Condition, piece
from combatlog.rules.skirmish.vitality import recover
from projections.combatant import Combatant

RECOVERED = 2


@piece
class Undeniable(Condition):
    """The figure keeps at least 1 health and gets no harmful condition, until a hostile figure is defeated."""

    name = "undeniable"

    def on_defeat(self, table: Table, owner: Combatant, defeated: Combatant) -> None:
        if defeated.side != owner.side:
            source = owner.conditions[self.ref].source
            table.remove_condition(owner, self.ref, f"{defeated.id} is defeated")
            recover(table, owner, RECOVERED, name_of(table.battle, source), source)
