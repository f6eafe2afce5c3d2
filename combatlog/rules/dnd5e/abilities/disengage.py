from __future__ import annotations

from combatlog.rules.dnd5e.durations import until_end_of_turn
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

DISENGAGING = "dnd5e:condition:disengaging"


@piece
class Disengage(Ability):
    """Spend the action to move without provoking opportunity attacks for the rest of the turn."""

    name = "disengage"
    cost = {ACTION: 1}
    tags = ("movement", "defense")

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        disengage(table, actor, self.ref)


def disengage(table: Table, actor: Combatant, source: str) -> None:
    afflict(table, actor, DISENGAGING, source=source, owner=actor.id, until=until_end_of_turn(actor))
