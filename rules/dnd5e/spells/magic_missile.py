from __future__ import annotations

from collections import Counter

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.magic import Spell, check_harmful, chosen_targets, harm_one, spell_damage
from rules.dnd5e.occasions import Casting, Harm
from rules.dnd5e.pieces import piece
from rules.dnd5e.reactions import open_window
from rules.dnd5e.words import DamageType
from rules.table import Table

AIMED = "spell.aimed"
DARTS = 3


@piece
class MagicMissile(Spell):
    """Three darts that never miss, one more for each higher slot, dealt out in turn to those who are named."""

    name = "magic_missile"
    level = 1
    range = 120
    tags = ("spell", "harm")

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        darts = self.darts(self.slot_level(declared.options))
        check_harmful(actor, chosen_targets(table, actor, self, declared, most=darts))

    def cast(self, table: Table, actor: Combatant, declared: Declared, level: int) -> None:
        open_window(table, Casting(table.battle, actor, self.ref, declared.targets), AIMED)
        names = [declared.targets[dart % len(declared.targets)] for dart in range(self.darts(level))]
        for name, count in Counter(names).items():
            chain = spell_damage(self, actor, f"{count}d4+{count}", DamageType.FORCE)
            harm = Harm(table.battle, table.combatant(name), actor, self.ref, (DamageType.FORCE,))
            harm_one(table, harm, chain, f"damage to {name}")

    def darts(self, level: int) -> int:
        return DARTS + level - self.level
