"""Allies next to a target."""

from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Attack, feet_between
from combatlog.rules.dnd5e.state import can_act, is_hostile
from projections.combatant import Combatant


def ally_beside(attack: Attack, owner: Combatant) -> Combatant | None:
    """An ally of the owner that can act and is within 5 feet of the attack's target."""
    others = [other for other in attack.battle.present() if other is not owner and other is not attack.target]
    allies = [other for other in others if not is_hostile(owner, other) and can_act(other)]
    return next((ally for ally in allies if feet_between(ally, attack.target) <= 5), None)
