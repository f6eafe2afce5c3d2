from __future__ import annotations

from ledger.events import Declared, Until, UntilMoment
from projections.combatant import Combatant
from rules.dnd5e.economy import ACTION
from rules.dnd5e.pieces import Ability, piece
from rules.table import Table


@piece
class Dodge(Ability):
    """Spend the action to be harder to hit until the own next turn."""

    name = "dodge"
    cost = {ACTION: 1}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        until = Until(moment=UntilMoment.TURN_START, whose=actor.id)
        table.apply_condition(actor, "dnd5e:condition:dodging", source=self.ref, owner=actor.id, until=until)
