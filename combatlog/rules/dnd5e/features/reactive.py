from __future__ import annotations

from combatlog.rules.dnd5e.economy import REACTION, renew
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class Reactive(Feature):
    """Have one reaction in every turn of the fight, not only one in a round."""

    name = "reactive"

    def at_any_turn_start(self, table: Table, owner: Combatant) -> None:
        renew(table, owner, REACTION, 1)
