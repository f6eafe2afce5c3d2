from __future__ import annotations

from ledger.events import Declared, RollModifier
from projections.combatant import Combatant
from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.pieces import ActiveFeature, piece
from rules.dnd5e.sheet import Sheet, sheet_of
from rules.dnd5e.vitality import heal
from rules.table import Table


@piece
class SecondWind(ActiveFeature):
    """Regain 1d10 and the level in hit points, once."""

    name = "second_wind"
    cost = {BONUS_ACTION: 1, "second_wind": 1}
    tags = ("healing",)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        added = [RollModifier(source="dnd5e:score:level", amount=sheet_of(actor).level)]
        rolled = table.roll("healing", actor.id, "1d10", modifiers=added)
        with table.because_of(rolled):
            heal(table, actor, rolled.total, self.title, self.ref)
