"""Options to get hold of a better weapon: putting the shield down for a bow."""

from __future__ import annotations

from projections.combatant import Combatant
from rules.autoplay.option import Aim
from rules.dnd5e.autoplay.arms import shot_range
from rules.dnd5e.autoplay.moving import NEXT_TURN
from rules.dnd5e.autoplay.options import Dnd5eOption
from rules.dnd5e.autoplay.outcome import Outcome
from rules.dnd5e.paths import melee_reach, usual_gait
from rules.dnd5e.speed import speed_of
from rules.dnd5e.wielding import SHIELDLESS


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
