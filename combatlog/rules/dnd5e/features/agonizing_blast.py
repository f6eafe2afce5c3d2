from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant

ELDRITCH_BLAST = "dnd5e:spell:eldritch_blast"


@piece
class AgonizingBlast(Feature):
    """The charisma modifier counts for the damage of each beam of Eldritch Blast."""

    name = "agonizing_blast"

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.attacker is owner and attack.spell == ELDRITCH_BLAST:
            amount = sheet_of(owner).modifier(AbilityScore.CHA)
            yield bonus("features", self.ref, owner.id, "Agonizing Blast", amount, attack.weapon.damage_type)
