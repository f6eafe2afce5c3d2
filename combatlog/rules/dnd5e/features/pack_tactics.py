from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.adjacent_allies import ally_beside
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.modifiers import advantage
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class PackTactics(Feature):
    """Advantage on attacks against a target that has one of the attacker's allies next to it."""

    name = "pack_tactics"

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        ally = ally_beside(attack, owner)
        if attack.attacker is owner and ally is not None:
            yield advantage(owner.id, self.ref, f"{ally.name} is next to {attack.target.name}", stage="features")
