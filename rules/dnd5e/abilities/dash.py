from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.economy import ACTION, MOVEMENT
from rules.dnd5e.movement import speed_of
from rules.dnd5e.pieces import Ability, piece
from rules.engine.table import Table


@piece
class Dash(Ability):
    """Spend the action to gain movement equal to one's speed."""

    name = "dash"
    cost = {ACTION: 1}
    tags = ("movement",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        dash(table, actor)


def dash(table: Table, actor: Combatant) -> None:
    table.gain(actor, MOVEMENT, speed_of(actor), "dash")
