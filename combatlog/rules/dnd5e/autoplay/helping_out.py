"""Options that set something right: a light in the dark, a friend woken, flames put out, a locked door forced."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.abilities.put_out import REACH, curable
from combatlog.rules.dnd5e.abilities.wake import ASLEEP
from combatlog.rules.dnd5e.actions.doors import DOOR_DC
from combatlog.rules.dnd5e.autoplay.doors import locked_doors
from combatlog.rules.dnd5e.autoplay.odds import mean, throw
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Affliction, Outcome
from combatlog.rules.dnd5e.autoplay.supporting import LASTING
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.light import LIT
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.space import steps_to
from combatlog.rules.dnd5e.surroundings import Light
from combatlog.rules.dnd5e.words import Skill

LEAST_CHANCE = 0.1
"""Below this, nobody tries."""


class LightingUp(Dnd5eOption):
    """A torch in the dark: worth what the actor's attacks gain once it sees its enemies."""

    archetype = "support"

    def aims(self) -> Sequence[Aim]:
        is_dark = self.outlook.battle.encounter.options.get("light") == Light.DARK
        return super().aims() if is_dark and not self.combatant.has(LIT) else []

    def foresee(self, aim: Aim) -> Outcome:
        more = self.outlook.gain_here(LIT)
        if more <= 0:
            return Outcome()
        return Outcome(opens_up=self.leads_up + more) if self.outlook.attacks_left else Outcome(ambush=more / 2)


class Waking(Dnd5eOption):
    """A friend who sleeps within reach, and could fight."""

    archetype = "support"

    def aims(self) -> Sequence[Aim]:
        asleep = [friend for friend in self.outlook.friends if friend.conditions and friend.has(ASLEEP)]
        return self.aims_at(friend for friend in asleep if feet_between(self.combatant, friend) <= REACH)

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome(afflictions=[Affliction(aim.targets[0], ASLEEP, turns=LASTING, ends=True)])


class PuttingOut(Dnd5eOption):
    """Flames or a wound, one's own or a friend's: worth the damage of the turns to come."""

    archetype = "support"

    def aims(self) -> Sequence[Aim]:
        hurt = [friend for friend in self.outlook.friends if friend.conditions and curable(friend)]
        return self.aims_at(friend for friend in hurt if feet_between(self.combatant, friend) <= REACH)

    def foresee(self, aim: Aim) -> Outcome:
        cause = curable(self.outlook.battle.combatants[aim.targets[0]])[0]
        chance = self._chance(cause.data.get("difficulty"))
        return Outcome(spared=2 * LASTING * chance * mean(throw(cause.data["damage"])))

    def _chance(self, difficulty: int | None) -> float:
        if difficulty is None:
            return 1.0
        return chance_of(sheet_of(self.combatant).skill_modifier(Skill.MEDICINE), difficulty)


class ForcingDoor(Dnd5eOption):
    """A locked door that no way leads around, for those who can attack nobody this turn."""

    archetype = "door"

    def aims(self) -> Sequence[Aim]:
        outlook, here = self.outlook, self.combatant.position
        if here is None or not outlook.grid.has_doors or not outlook.is_locked_out or outlook.can_attack:
            return []
        beside = [door for door in locked_doors(outlook.battle, outlook.grid) if steps_to(self.combatant, door) <= 1]
        return [Aim(place=door) for door in beside if outlook.steps_to_foes(door) < outlook.steps_to_foes(here)]

    def foresee(self, aim: Aim) -> Outcome:
        chance = chance_of(sheet_of(self.combatant).skill_modifier(Skill.ATHLETICS), DOOR_DC)
        return Outcome(nearer=1.0 if chance >= LEAST_CHANCE else 0.0)


def chance_of(modifier: int, difficulty: int) -> float:
    """The chance of a check, without what conditions do to it."""
    return max(0.0, min(1.0, (21 + modifier - difficulty) / 20))
