"""Life that is drained: the maximum of hit points is lower until a long rest."""

from __future__ import annotations

from combatlog.rules.dnd5e.state import afflict
from combatlog.rules.dnd5e.vitality import HP, die
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

DRAINED = "dnd5e:condition:drained"


def drained(combatant: Combatant) -> int:
    """By how much its maximum is lower."""
    held = combatant.conditions.get(DRAINED)
    return int(held.data.get("amount", 0)) if held is not None else 0


def drain(table: Table, target: Combatant, dealer: Combatant, amount: int, source: str) -> None:
    """Lower the maximum by so much more. Whoever has none left dies."""
    total = drained(target) + amount
    afflict(table, target, DRAINED, source=source, owner=dealer.id, data={"amount": total})
    if total >= (target.vitals[HP].maximum or 0):
        die(table, target, dealer.id)
