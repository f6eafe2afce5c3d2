from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.speed import dash
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


@piece
class Dash(Ability):
    """Spend the action to gain movement equal to one's speed."""

    name = "dash"
    cost = {ACTION: 1}
    tags = ("movement",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        dash(table, actor)
