from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.economy import ACTION, MOVEMENT
from rules.dnd5e.pieces import Ability, piece
from rules.dnd5e.sheet import sheet_of
from rules.table import Table


@piece
class Dash(Ability):
    """Spend the action to move once more as far."""

    name = "dash"
    cost = {ACTION: 1}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, MOVEMENT, sheet_of(actor).speed, self.name)
