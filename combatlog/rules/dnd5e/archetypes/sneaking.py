from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.dnd5e.archetype_registry import archetype, options
from combatlog.rules.dnd5e.archetypes.parts import DiceText, PieceName
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.features.sneak_attack import SneakAttack
from projections.combatant import Combatant


@archetype("sneak_attack", "features")
@options
class PrintedSneakAttack(SneakAttack):
    """Once per turn, extra damage for a weapon hit with advantage, or with an ally next to the target."""

    name: PieceName
    damage: Annotated[DiceText, Field(description="dice, such as 4d6")]

    def suits(self, attack: Attack) -> bool:
        return attack.spell is None

    def throw(self, owner: Combatant) -> str:
        return self.damage
