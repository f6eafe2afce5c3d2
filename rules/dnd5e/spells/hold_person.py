from __future__ import annotations

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.magic import Spell, check_harmful, chosen_targets, concentrate
from rules.dnd5e.pieces import piece
from rules.dnd5e.saves import resolve_save
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import afflict
from rules.dnd5e.words import AbilityScore, CreatureType
from rules.refusal import Refusal
from rules.table import Table

PARALYZED = "dnd5e:condition:paralyzed"


@piece
class HoldPerson(Spell):
    """A humanoid, one more for each higher slot, that fails a wisdom save is paralyzed; it saves again each turn."""

    name = "hold_person"
    level = 2
    range = 60
    concentration = True
    tags = ("spell", "harm")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        targets = chosen_targets(table, actor, self, declared, most=self.slot_level(declared.options) - 1)
        for target in targets:
            if sheet_of(target).creature_type is not CreatureType.HUMANOID:
                raise Refusal("spell/no-effect", f"{self.title} holds humanoids; {target.id} is none.")
        check_harmful(actor, targets)

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        concentrate(table, actor, self)
        against = sheet_of(actor).spell_dc
        for target in chosen_targets(table, actor, self, declared, most=level - 1):
            if not resolve_save(table, target, AbilityScore.WIS, against, self.ref):
                data = {"save": AbilityScore.WIS.value, "against": against}
                afflict(table, target, PARALYZED, source=self.ref, owner=actor.id, data=data)
