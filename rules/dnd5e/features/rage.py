from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.durations import for_a_minute
from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.magic import CONCENTRATING
from rules.dnd5e.pieces import ActiveFeature, piece
from rules.dnd5e.sheet import Sheet, sheet_of
from rules.dnd5e.state import afflict, end_condition
from rules.dnd5e.words import Armor
from rules.engine.refusal import Refusal
from rules.engine.table import Table

RAGING = "dnd5e:condition:raging"


@piece
class Rage(ActiveFeature):
    """Spend the bonus action and one of the day's rages to start raging."""

    name = "rage"
    cost = {BONUS_ACTION: 1, "rage": 1}
    tags = ("offense", "defense")

    def pools(self, sheet: Sheet) -> dict[str, int]:
        level = sheet.level
        return {self.name: 2 if level < 3 else 3 if level < 6 else 4 if level < 12 else 5 if level < 17 else 6}

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(RAGING):
            raise Refusal("rage/already", f"{actor.id} is already raging.", who=actor.id)
        if sheet_of(actor).armor is Armor.HEAVY:
            raise Refusal("rage/heavy-armor", f"{actor.id} cannot rage in heavy armour.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, actor, CONCENTRATING, "started raging")
        afflict(table, actor, RAGING, source=self.ref, owner=actor.id, until=for_a_minute(table.battle, actor))
