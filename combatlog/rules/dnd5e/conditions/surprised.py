from __future__ import annotations

from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.state import end_condition
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class Surprised(Condition):
    """No actions and no movement on its first turn, and no reactions until that turn ends."""

    name = "surprised"
    holds_up = True
    is_single = True

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        end_condition(table, owner, self.ref, "its turn is over")
