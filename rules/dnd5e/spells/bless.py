from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.magic import Spell, chosen_targets, concentrate
from rules.dnd5e.pieces import piece
from rules.dnd5e.state import afflict
from rules.table import Table


@piece
class Bless(Spell):
    """Up to three creatures, one more for each higher slot, add a d4 to attacks and saves."""

    name = "bless"
    level = 1
    range = 30
    concentration = True
    tags = ("spell", "support")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        chosen_targets(table, actor, self, declared, most=2 + self.slot_level(declared.options))

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        concentrate(table, actor, self)
        for target in chosen_targets(table, actor, self, declared, most=2 + level):
            afflict(table, target, "dnd5e:condition:blessed", source=self.ref, owner=actor.id)
