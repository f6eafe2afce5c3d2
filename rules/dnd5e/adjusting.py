"""Changes to an attack's total after the roll."""

from __future__ import annotations

from projections.combatant import Combatant
from rules.chain import Chain
from rules.dnd5e.modifiers import STAGES, bonus
from rules.dnd5e.occasions import Attack
from rules.table import Table


def adjust(table: Table, attack: Attack, source: str, owner: Combatant, reason: str, amount: int) -> None:
    """Put a late contribution to the attack chain on record and have it count."""
    modifier = bonus("features", source, owner.id, reason, amount)
    Chain("attack", STAGES, [modifier]).record(table)
    attack.adjustments.append(modifier)
