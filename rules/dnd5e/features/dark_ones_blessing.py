from __future__ import annotations

from projections.combatant import Combatant
from rules.dnd5e.contexts import Attack
from rules.dnd5e.pieces import Feature, piece
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.state import is_hostile
from rules.dnd5e.vitality import HP, gain_temporary
from rules.dnd5e.words import AbilityScore
from rules.engine.table import Table


@piece
class DarkOnesBlessing(Feature):
    """Temporary hit points, charisma modifier and level, whenever an attack brings an enemy to 0 hit points."""

    name = "dark_ones_blessing"

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        felled = attack.hit and attack.target.vitals[HP].current == 0
        if attack.attacker is owner and felled and is_hostile(owner, attack.target):
            sheet = sheet_of(owner)
            amount = max(1, sheet.modifier(AbilityScore.CHA) + sheet.level)
            gain_temporary(table, owner, amount, "Dark One's Blessing", self.ref)
