"""The defence that costs nothing."""

from __future__ import annotations

from combatlog.rules.action_points.assault import Assault, Stand, stand_passively
from combatlog.rules.action_points.pieces import Reaction, piece
from combatlog.rules.engine.table import Table
from ledger.events import Data


@piece
class Passive(Reaction):
    """Do nothing: the attack has to beat Dodge - 1."""

    name = "passive"
    cost = "free"
    preference = 4

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        return stand_passively(table, assault)
