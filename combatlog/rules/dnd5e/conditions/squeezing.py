from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.condition_effects import advantage_on_attacks_against, disadvantage_on_own_attacks
from combatlog.rules.dnd5e.contexts import Attack, Save
from combatlog.rules.dnd5e.modifiers import disadvantage
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class Squeezing(Condition):
    """In a narrow space: disadvantage on attacks and dexterity saves, advantage on attacks against it, slow steps."""

    name = "squeezing"
    is_single = True

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if sheet_of(owner).is_amorphous:
            return
        yield from disadvantage_on_own_attacks(self, attack, owner, f"{owner.name} is squeezing")
        yield from advantage_on_attacks_against(self, attack, owner, f"{owner.name} is squeezing")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX and not sheet_of(owner).is_amorphous:
            yield disadvantage(owner.id, self.ref, f"{owner.name} is squeezing", stage="conditions")
