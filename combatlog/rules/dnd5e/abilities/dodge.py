from __future__ import annotations

from combatlog.rules.dnd5e.durations import until_next_turn
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

DODGING = "dnd5e:condition:dodging"


@piece
class Dodge(Ability):
    """Spend the action to be harder to hit until one's next turn."""

    name = "dodge"
    cost = {ACTION: 1}
    tags = ("defense",)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        dodge(table, actor, self.ref)


def dodge(table: Table, actor: Combatant, source: str) -> None:
    afflict(table, actor, DODGING, source=source, owner=actor.id, until=until_next_turn(actor))
