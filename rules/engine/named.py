"""How combatants are called on screens."""

from __future__ import annotations

from projections.combatant import Combatant
from rules.engine.core_actions import combatant_id
from rules.engine.refusal import Refusal


def full_name(combatant: Combatant) -> str:
    """Its name, with its id where nobody could tell that from the name."""
    try:
        is_told = combatant_id(combatant.name) == combatant.id
    except Refusal:
        is_told = False
    return combatant.name if is_told else f"{combatant.name} ({combatant.id})"
