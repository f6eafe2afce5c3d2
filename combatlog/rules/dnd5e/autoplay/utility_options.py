"""Options with objects, mounts and allies: doors, torches, flying up, waking a friend, a readied strike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.dnd5e.actions.doors_and_objects import DOOR_DC
from combatlog.rules.dnd5e.actions.help_and_first_aid import ASLEEP, PUT_OUT_REACH, curable
from combatlog.rules.dnd5e.actions.move_and_mount import fits
from combatlog.rules.dnd5e.actions.ready import Response, Trigger
from combatlog.rules.dnd5e.attack.targeting import weapon_named
from combatlog.rules.dnd5e.attack.wielding import SHIELDLESS
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import normal_range, shot_range
from combatlog.rules.dnd5e.autoplay.hypothetical_battles import closed_doors, locked_doors
from combatlog.rules.dnd5e.autoplay.movement_options import NEXT_TURN
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import ForeseenCondition, ForeseenOutcome, mean, throw
from combatlog.rules.dnd5e.autoplay.option_base import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.support_options import LASTING
from combatlog.rules.dnd5e.autoplay.threats import worth_of
from combatlog.rules.dnd5e.battlemap.paths import melee_reach, usual_gait
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import LIT
from combatlog.rules.dnd5e.battlemap.space import level_of, steps_to, width_of
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import STEP, Gait, has_gait, speed_of
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.enums import Skill
from combatlog.rules.dnd5e.hazards_and_optional_rules import Light
from projections.battle.combatant import Combatant

IN_HAND = 0.5
"""The worth of having a weapon in hand again, in hit points. Low, because it may not be thrown again."""


class OpenDoorOption(Dnd5eOption):
    """A door on the way to the enemy, if the actor cannot attack this turn."""

    archetype = "door"

    def aims(self) -> Sequence[OptionAim]:
        outlook, here = self.outlook, self.combatant.position
        if here is None or not outlook.grid.has_doors or outlook.can_attack:
            return []
        beside = [door for door in closed_doors(outlook.battle, outlook.grid) if steps_to(self.combatant, door) <= 1]
        return [OptionAim(place=door) for door in beside if outlook.steps_to_foes(door) < outlook.steps_to_foes(here)]

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return ForeseenOutcome(nearer=1.0)


class PickUpOption(Dnd5eOption):
    """A weapon within reach on the ground, if picking it up is free and there is nothing better to do."""

    archetype = "support"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return ForeseenOutcome() if ACTION in self.cost else ForeseenOutcome(ambush=IN_HAND)


class DropShieldOption(Dnd5eOption):
    """A free hand for a bow, against enemies that shoot and are too fast to catch."""

    archetype = "support"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        outlook = self.outlook
        if outlook.can_attack or not all(map(self._gets_away, outlook.foes)):
            return ForeseenOutcome()
        return ForeseenOutcome(ambush=NEXT_TURN * max(0.0, outlook.gain_here(SHIELDLESS)))

    def _gets_away(self, foe: Combatant) -> bool:
        return shot_range(foe) > melee_reach(foe) and self._speed(foe) > self._speed(self.combatant)

    def _speed(self, combatant: Combatant) -> int:
        return speed_of(combatant, usual_gait(self.outlook.battle, combatant))


LEAST_CHANCE = 0.1
"""The chance below which forcing a door is not tried."""


class LightTorchOption(Dnd5eOption):
    """A torch in the dark, worth the gain of the actor's attacks once it sees its enemies."""

    archetype = "support"

    def aims(self) -> Sequence[OptionAim]:
        is_dark = self.outlook.battle.encounter.options.get("light") == Light.DARK
        return super().aims() if is_dark and not self.combatant.has(LIT) else []

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        more = self.outlook.gain_here(LIT)
        if more <= 0:
            return ForeseenOutcome()
        return (
            ForeseenOutcome(opens_up=self.leads_up + more)
            if self.outlook.attacks_left
            else ForeseenOutcome(ambush=more / 2)
        )


class WakeOption(Dnd5eOption):
    """A sleeping friend within reach who could fight."""

    archetype = "support"

    def aims(self) -> Sequence[OptionAim]:
        asleep = [friend for friend in self.outlook.friends if friend.conditions and friend.has(ASLEEP)]
        return self.aims_at(friend for friend in asleep if feet_between(self.combatant, friend) <= PUT_OUT_REACH)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return ForeseenOutcome(afflictions=[ForeseenCondition(aim.targets[0], ASLEEP, turns=LASTING, ends=True)])


class PutOutOption(Dnd5eOption):
    """Flames or a wound on the actor or a friend, worth the damage of the following turns."""

    archetype = "support"

    def aims(self) -> Sequence[OptionAim]:
        hurt = [friend for friend in self.outlook.friends if friend.conditions and curable(friend)]
        return self.aims_at(friend for friend in hurt if feet_between(self.combatant, friend) <= PUT_OUT_REACH)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        cause = curable(self.outlook.battle.combatants[aim.targets[0]])[0]
        chance = self._chance(cause.data.get("difficulty"))
        return ForeseenOutcome(spared=2 * LASTING * chance * mean(throw(cause.data["damage"])))

    def _chance(self, difficulty: int | None) -> float:
        if difficulty is None:
            return 1.0
        return chance_of(sheet_of(self.combatant).skill_modifier(Skill.MEDICINE), difficulty)


class ForceDoorOption(Dnd5eOption):
    """A locked door with no way around it, if the actor cannot attack this turn."""

    archetype = "door"

    def aims(self) -> Sequence[OptionAim]:
        outlook, here = self.outlook, self.combatant.position
        if here is None or not outlook.grid.has_doors or not outlook.is_locked_out or outlook.can_attack:
            return []
        beside = [door for door in locked_doors(outlook.battle, outlook.grid) if steps_to(self.combatant, door) <= 1]
        return [OptionAim(place=door) for door in beside if outlook.steps_to_foes(door) < outlook.steps_to_foes(here)]

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        chance = chance_of(sheet_of(self.combatant).skill_modifier(Skill.ATHLETICS), DOOR_DC)
        return ForeseenOutcome(nearer=1.0 if chance >= LEAST_CHANCE else 0.0)


def chance_of(modifier: int, difficulty: int) -> float:
    """The chance of a check, ignoring conditions."""
    return max(0.0, min(1.0, (21 + modifier - difficulty) / 20))


class ChangeAltitudeOption(Dnd5eOption):
    """Rising or descending in place: out of reach of enemies who cannot follow, or to the level of enemies."""

    archetype = "move"

    def aims(self) -> Sequence[OptionAim]:
        if self.combatant.position is None or not self.outlook.foes:
            return []
        return [OptionAim(place=self.combatant.position, options={"altitude": feet}) for feet in self._heights()]

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
        """Whether a foe that threatens the actor now could not do so if the actor were higher."""
        walks = not has_gait(foe, Gait.FLY) and shot_range(foe) <= melee_reach(foe)
        return walks and self.outlook.gets_at(foe, self.combatant.position)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        outlook, here = self.outlook, STEP * level_of(self.combatant)
        if not self._shoots():
            return ForeseenOutcome(nearer=abs(aim.options["altitude"] - here) / STEP)
        below = [foe for foe in outlook.foes if self._is_left_below(foe)]
        return ForeseenOutcome(spared=sum(outlook.threat(foe.id, self.actor) for foe in below), opens_up=self.leads_up)


def _reached(foe: Combatant) -> int:
    """The lowest altitude in feet that a foe cannot reach from where it is."""
    return STEP * (level_of(foe) + width_of(foe)) + melee_reach(foe)


class MountOption(Dnd5eOption):
    """A faster mount next to an actor whose enemies are far. The mount's own attacks are lost."""

    archetype = "move"

    def aims(self) -> Sequence[OptionAim]:
        if self.outlook.can_attack:
            return []
        near = [friend for friend in self.outlook.friends if fits(self.combatant, friend)]
        return self.aims_at(friend for friend in near if feet_between(self.combatant, friend) <= STEP)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        outlook, mount = self.outlook, self.outlook.battle.combatants[aim.targets[0]]
        faster = self._speed(mount) - self._speed(self.combatant)
        if faster <= 0:
            return ForeseenOutcome()
        lost = max((outlook.threat(mount.id, foe.id) for foe in outlook.foes), default=0.0)
        return ForeseenOutcome(nearer=LASTING * faster / STEP, ambush=-lost)

    def _speed(self, combatant: Combatant) -> int:
        return speed_of(combatant, usual_gait(self.outlook.battle, combatant))


COMES = 0.5
"""The chance that an enemy who has to approach comes towards the actor; divided by boldness."""


class ReadyOption(Dnd5eOption):
    archetype = "ready"

    @property
    def arm(self) -> Weapon:
        return weapon_named(self.combatant, self.weapon)

    def aims(self) -> Sequence[OptionAim]:
        return [OptionAim(options={"trigger": Trigger.APPROACHES.value, "action": Response.STRIKE.value})]

    def words(self, aim: OptionAim) -> str:
        return f"ready {self.arm.name} for an approaching enemy"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        if self.outlook.can_attack:
            return ForeseenOutcome()
        expected = [self._blow(foe) for foe in self.outlook.foes if self._may_come(foe)]
        return ForeseenOutcome(ambush=COMES * max(expected, default=0.0) / self.outlook.boldness)

    def _may_come(self, foe: Combatant) -> bool:
        """Whether a foe can come into this weapon's range in one turn and cannot do harm from where it is."""
        near_enough = feet_between(self.combatant, foe) - speed_of(foe) <= self.arm.farthest
        return near_enough and self.outlook.must_come(foe)

    def _blow(self, foe: Combatant) -> float:
        """The worth of one attack at the first step into range; for ranged weapons, mostly at long range."""
        first_chance = min(feet_between(self.combatant, foe), self.arm.farthest)
        odds = self.outlook.odds(self.actor, self.arm, foe.id, hampered=first_chance > normal_range(self.arm))
        return worth_of(odds, foe)
