from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import ActiveFeature, piece
from combatlog.rules.dnd5e.sheet import Sheet
from combatlog.rules.engine.ruleset import RestKind
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


@piece
class ActionSurge(ActiveFeature):
    """Gain one more action this turn; it works once."""

    name = "action_surge"
    cost = {"action_surge": 1}
    tags = ("offense",)

    def pools(self, sheet: Sheet) -> dict[str, int]:
        return {self.name: 1}

    def rest_needed(self, sheet: Sheet) -> RestKind | None:
        return RestKind.SHORT

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, ACTION, 1, self.name)
