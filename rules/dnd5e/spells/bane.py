from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.magic import Spell, check_harmful, chosen_targets, concentrate
from rules.dnd5e.pieces import piece
from rules.dnd5e.saves import resolve_save
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import afflict
from rules.dnd5e.words import AbilityScore
from rules.table import Table


@piece
class Bane(Spell):
    """Up to three creatures, one more for each higher slot, that fail a charisma save subtract a d4."""

    name = "bane"
    level = 1
    range = 30
    concentration = True
    tags = ("spell", "harm")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        most = 2 + self.slot_level(declared.options)
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=most))

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        concentrate(table, actor, self)
        for target in chosen_targets(table, actor, self, declared, most=2 + level):
            if not resolve_save(table, target, AbilityScore.CHA, sheet_of(actor).spell_dc, self.ref):
                afflict(table, target, "dnd5e:condition:baned", source=self.ref, owner=actor.id)
