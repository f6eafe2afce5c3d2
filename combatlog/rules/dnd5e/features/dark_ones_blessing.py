from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import is_hostile
from combatlog.rules.dnd5e.vitality import HP, gain_temporary
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


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
