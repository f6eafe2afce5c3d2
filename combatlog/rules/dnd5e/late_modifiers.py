"""Modifiers that change a total after the roll."""

from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Attack, Check, Save, Throw
from combatlog.rules.dnd5e.modifiers import STAGES, bonus
from combatlog.rules.engine.chain import Chain
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

CHAINS: dict[type[Throw], str] = {Attack: "attack", Save: "save", Check: "check"}


def adjust(table: Table, throw: Throw, source: str, owner: Combatant, reason: str, amount: int) -> None:
    """Record a late contribution to a roll's chain, and add it to the total."""
    modifier = bonus("features", source, owner.id, reason, amount)
    Chain(CHAINS[type(throw)], STAGES, [modifier]).record(table)
    throw.adjustments.append(modifier)
