from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.saves import resolve_save
from combatlog.rules.dnd5e.vitality import heal
from combatlog.rules.dnd5e.words import AbilityScore, DamageType
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class UndeadFortitude(Feature):
    """A constitution save (DC 5 plus the damage) keeps it at 1 hit point instead of 0.

    There is no save against critical hits and radiant damage.
    """

    name = "undead_fortitude"

    def keeps_standing(self, table: Table, harm: Harm, owner: Combatant) -> bool:
        if harm.critical or DamageType.RADIANT in harm.types:
            return False
        if not resolve_save(table, owner, AbilityScore.CON, 5 + harm.amount, self.ref, f"{self.key} save"):
            return False
        heal(table, owner, 1, "Undead Fortitude", self.ref)
        return True
