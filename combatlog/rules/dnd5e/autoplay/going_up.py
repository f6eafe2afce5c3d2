"""Options to get off the ground: rising out of reach, meeting those who fly, and mounting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.actions.mount import fits
from combatlog.rules.dnd5e.autoplay.arms import shot_range
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Outcome
from combatlog.rules.dnd5e.autoplay.supporting import LASTING
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.paths import melee_reach, usual_gait
from combatlog.rules.dnd5e.space import level_of, width_of
from combatlog.rules.dnd5e.speed import STEP, Gait, has_gait, speed_of
from projections.combatant import Combatant


class Soaring(Dnd5eOption):
    """Rising or sinking where it is: out of reach of those who cannot follow, or to those it cannot reach otherwise."""

    archetype = "move"

    def aims(self) -> Sequence[Aim]:
        if self.combatant.position is None or not self.outlook.foes:
            return []
        return [Aim(place=self.combatant.position, options={"altitude": feet}) for feet in self._heights()]

    def _heights(self) -> Iterator[int]:
        here, outlook = STEP * level_of(self.combatant), self.outlook
        if self._shoots():
            safe = max(map(_reached, outlook.foes))
            if safe > here and any(map(self._is_left_below, outlook.foes)):
                yield safe
        elif not outlook.can_attack:
            yield from sorted({STEP * level_of(foe) for foe in outlook.foes} - {here})

    def _shoots(self) -> bool:
        return shot_range(self.combatant) > max(map(_reached, self.outlook.foes))

    def _is_left_below(self, foe: Combatant) -> bool:
        """Whether a foe threatens the actor now and could not if it were above."""
        walks = not has_gait(foe, Gait.FLY) and shot_range(foe) <= melee_reach(foe)
        return walks and self.outlook.gets_at(foe, self.combatant.position)

    def foresee(self, aim: Aim) -> Outcome:
        outlook, here = self.outlook, STEP * level_of(self.combatant)
        if not self._shoots():
            return Outcome(nearer=abs(aim.options["altitude"] - here) / STEP)
        below = [foe for foe in outlook.foes if self._is_left_below(foe)]
        return Outcome(spared=sum(outlook.threat(foe.id, self.actor) for foe in below), opens_up=self.leads_up)


def _reached(foe: Combatant) -> int:
    """The least height in feet that a foe does not reach from where it is."""
    return STEP * (level_of(foe) + width_of(foe)) + melee_reach(foe)


class Mounting(Dnd5eOption):
    """A faster mount next to somebody whose enemies are far; what the mount itself could do is lost."""

    archetype = "move"

    def aims(self) -> Sequence[Aim]:
        if self.outlook.can_attack:
            return []
        near = [friend for friend in self.outlook.friends if fits(self.combatant, friend)]
        return self.aims_at(friend for friend in near if feet_between(self.combatant, friend) <= STEP)

    def foresee(self, aim: Aim) -> Outcome:
        outlook, mount = self.outlook, self.outlook.battle.combatants[aim.targets[0]]
        faster = self._speed(mount) - self._speed(self.combatant)
        if faster <= 0:
            return Outcome()
        lost = max((outlook.threat(mount.id, foe.id) for foe in outlook.foes), default=0.0)
        return Outcome(nearer=LASTING * faster / STEP, ambush=-lost)

    def _speed(self, combatant: Combatant) -> int:
        return speed_of(combatant, usual_gait(self.outlook.battle, combatant))
