from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack, Save
from combatlog.rules.dnd5e.modifiers import advantage, disadvantage
from combatlog.rules.dnd5e.movement import speed_of
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.dnd5e.state import can_act
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class Dodging(Condition):
    """Disadvantage on attacks by visible attackers, advantage on dexterity saves; only while able to act and move."""

    name = "dodging"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.target is owner and _is_nimble(owner) and can_see(attack.battle, owner, attack.attacker):
            yield disadvantage(owner.id, self.ref, f"{owner.name} dodges", stage="conditions")

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX and _is_nimble(owner):
            yield advantage(owner.id, self.ref, f"{owner.name} dodges", stage="conditions")


def _is_nimble(owner: Combatant) -> bool:
    return can_act(owner) and speed_of(owner) > 0
