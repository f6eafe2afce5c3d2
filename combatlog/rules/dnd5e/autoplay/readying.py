"""A readied strike for whoever approaches, if there is nobody to attack this turn."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.abilities.ready import Response, Trigger
from combatlog.rules.dnd5e.autoplay.arms import normal_range
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Outcome
from combatlog.rules.dnd5e.autoplay.threats import worth_of
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.speed import speed_of
from combatlog.rules.dnd5e.targeting import weapon_named
from combatlog.rules.dnd5e.weapons import Weapon
from projections.combatant import Combatant

COMES = 0.5
"""How often an enemy that has to approach does so, towards the one waiting for it; less with each round."""


class Readying(Dnd5eOption):
    archetype = "ready"

    @property
    def arm(self) -> Weapon:
        return weapon_named(self.combatant, self.weapon)

    def aims(self) -> Sequence[Aim]:
        return [Aim(options={"trigger": Trigger.APPROACHES.value, "action": Response.STRIKE.value})]

    def words(self, aim: Aim) -> str:
        return f"ready {self.arm.name} for whoever approaches"

    def foresee(self, aim: Aim) -> Outcome:
        if self.outlook.can_attack:
            return Outcome()
        expected = [self._blow(foe) for foe in self.outlook.foes if self._may_come(foe)]
        return Outcome(ambush=COMES * max(expected, default=0.0) / self.outlook.boldness)

    def _may_come(self, foe: Combatant) -> bool:
        """Whether a foe can get into this weapon's range in one turn and cannot do harm from where it is."""
        near_enough = feet_between(self.combatant, foe) - speed_of(foe) <= self.arm.farthest
        return near_enough and self.outlook.must_come(foe)

    def _blow(self, foe: Combatant) -> float:
        """One attack, at the first step into range; for ranged weapons, mostly at long range."""
        first_chance = min(feet_between(self.combatant, foe), self.arm.farthest)
        odds = self.outlook.odds(self.actor, self.arm, foe.id, hampered=first_chance > normal_range(self.arm))
        return worth_of(odds, foe)
