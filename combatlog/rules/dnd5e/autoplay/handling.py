"""Options to handle things: opening a door, picking a weapon up, putting the shield down for a bow."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.autoplay.arms import shot_range
from combatlog.rules.dnd5e.autoplay.doors import closed_doors
from combatlog.rules.dnd5e.autoplay.moving import NEXT_TURN
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Outcome
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.paths import melee_reach, usual_gait
from combatlog.rules.dnd5e.space import steps_to
from combatlog.rules.dnd5e.speed import speed_of
from combatlog.rules.dnd5e.wielding import SHIELDLESS
from projections.combatant import Combatant

IN_HAND = 0.5
"""What it is worth to have a weapon in hand again, in hit points: it may never be thrown a second time."""


class OpeningDoor(Dnd5eOption):
    """A door on the way to the enemy, for those who can attack nobody this turn."""

    archetype = "door"

    def aims(self) -> Sequence[Aim]:
        outlook, here = self.outlook, self.combatant.position
        if here is None or not outlook.grid.has_doors or outlook.can_attack:
            return []
        beside = [door for door in closed_doors(outlook.battle, outlook.grid) if steps_to(self.combatant, door) <= 1]
        return [Aim(place=door) for door in beside if outlook.steps_to_foes(door) < outlook.steps_to_foes(here)]

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome(nearer=1.0)


class PickingUp(Dnd5eOption):
    """A weapon that lies at one's feet, if that costs nothing and nothing better is left to do."""

    archetype = "support"

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome() if ACTION in self.cost else Outcome(ambush=IN_HAND)


class DroppingShield(Dnd5eOption):
    """A free hand for a bow, against enemies that shoot and cannot be caught up with."""

    archetype = "support"

    def foresee(self, aim: Aim) -> Outcome:
        outlook = self.outlook
        if outlook.can_attack or not all(map(self._gets_away, outlook.foes)):
            return Outcome()
        return Outcome(ambush=NEXT_TURN * max(0.0, outlook.gain_here(SHIELDLESS)))

    def _gets_away(self, foe: Combatant) -> bool:
        return shot_range(foe) > melee_reach(foe) and self._speed(foe) > self._speed(self.combatant)

    def _speed(self, combatant: Combatant) -> int:
        return speed_of(combatant, usual_gait(self.outlook.battle, combatant))
