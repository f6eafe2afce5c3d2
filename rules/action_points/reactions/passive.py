"""The defence that costs nothing."""

from __future__ import annotations

from ledger.events import Data
from rules.action_points.assault import Assault, Stand, stand_passively
from rules.action_points.pieces import Reaction, piece
from rules.engine.table import Table


@piece
class Passive(Reaction):
    """Do nothing: the attack has to beat Dodge - 1."""

    name = "passive"
    cost = "free"
    preference = 4

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        return stand_passively(table, assault)
