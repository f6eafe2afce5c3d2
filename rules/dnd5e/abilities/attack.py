from __future__ import annotations

from ledger.events import Declared, Until, UntilMoment
from projections.combatant import Combatant
from rules.dnd5e.economy import ACTION, ATTACKS
from rules.dnd5e.pieces import Ability, piece
from rules.table import Table

STRIKE = "dnd5e:action:strike"


@piece
class Attack(Ability):
    """Spend the action for attacks, each made with a Strike."""

    name = "attack"
    cost = {ACTION: 1}

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        attacks = 1
        table.gain(actor, ATTACKS, attacks, self.name)
        for _ in range(attacks):
            until = Until(moment=UntilMoment.TURN_END, whose=actor.id)
            table.grant(actor, STRIKE, source=self.ref, until=until)
