"""Conditions that do little or nothing by themselves: features and people ask about them."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.condition_effects import disadvantage_on_own_attacks
from combatlog.rules.dnd5e.contexts import Attack, Check, Save
from combatlog.rules.dnd5e.modifiers import disadvantage
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class Cursed(Condition):
    """Under a curse, such as lycanthropy, that shows after the fight."""

    name = "cursed"


@piece
class Sunlit(Condition):
    """In sunlight, which some creatures cannot stand. The GM says who is."""

    name = "sunlit"


@piece
class BlendingIn(Condition):
    """Where its camouflage suits, such as a stone giant among rocks. The GM says who is."""

    name = "blending_in"


@piece
class Weakened(Condition):
    """Disadvantage on attacks, checks and saving throws with Strength."""

    name = "weakened"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.ability is AbilityScore.STR:
            yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.id} is weakened")

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        if check.ability is AbilityScore.STR:
            yield disadvantage(owner.id, self.ref, f"{owner.id} is weakened", stage="conditions")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.STR:
            yield disadvantage(owner.id, self.ref, f"{owner.id} is weakened", stage="conditions")
