"""Conditions that leave somebody less to do in a turn."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack, Save
from combatlog.rules.dnd5e.modifiers import bonus, halved
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.words import AbilityScore
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant

PENALTY = -2


@piece
class Sluggish(Condition):
    """No reactions, half speed, one attack in a turn, and either an action or a bonus action."""

    name = "sluggish"
    forbids_reactions = True
    one_attack = True
    either_action = True

    def on_speed(self, owner: Combatant) -> Iterator[Modifier]:
        yield halved("conditions", self.ref, owner.id, f"{owner.name} is {self.name}")


@piece
class Slowed(Sluggish):
    """The Slow spell: sluggish, and -2 to armour class and dexterity saves."""

    name = "slowed"

    def on_armor_class(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", self.ref, owner.id, "Slow", PENALTY)

    def on_save(self, save: Save, owner: Combatant) -> Iterator[Modifier]:
        if save.ability is AbilityScore.DEX:
            yield bonus("conditions", self.ref, owner.id, "Slow", PENALTY)


@piece
class Staggered(Condition):
    """Open Hand: no reactions."""

    name = "staggered"
    forbids_reactions = True
