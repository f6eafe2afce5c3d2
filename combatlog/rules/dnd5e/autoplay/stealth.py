"""Hiding: advantage on a later attack, and disadvantage on enemy shots until then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.abilities.hide import HIDDEN, keenest_perception
from combatlog.rules.dnd5e.autoplay.arms import shot_range
from combatlog.rules.dnd5e.autoplay.estimate import check_chance
from combatlog.rules.dnd5e.autoplay.moving import Slip, StepOfTheWind, slips
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Affliction, Outcome
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.sight import has_line
from combatlog.rules.dnd5e.words import AbilityScore, Skill
from projections.combatant import Combatant

STAYS_HIDDEN = 0.5
"""How often hiding lasts until the next turn: any enemy that walks to where it has a clear view ends it."""


class Hiding(Dnd5eOption):
    archetype = "stealth"

    def foresee(self, aim: Aim) -> Outcome:
        if self.combatant.has(HIDDEN) or not self._in_sight:
            return Outcome()  # nobody shoots at it here, and stepping out to attack would reveal it
        if ACTION in self.cost:
            return Outcome(ambush=self._chance * STAYS_HIDDEN * self._gain, spared=self._spared)
        follows = self.leads_up + self._chance * self._gain if self.outlook.attacks_left else 0.0
        return Outcome(opens_up=follows, spared=self._spared)

    @cached_property
    def _in_sight(self) -> list[Combatant]:
        """The enemies with a line of sight past the cover: those that can shoot at it and be shot at."""
        return [foe for foe in self.outlook.foes if has_line(self.outlook.battle, self.combatant, foe)]

    @property
    def _gain(self) -> float:
        return self.outlook.gain_here(HIDDEN)

    @property
    def _chance(self) -> float:
        battle, actor = self.outlook.battle, self.combatant
        return check_chance(battle, actor, Skill.STEALTH, AbilityScore.DEX, keenest_perception(battle, actor))

    @property
    def _spared(self) -> float:
        """What enemy shots would no longer cost the actor."""
        hidden = Affliction(self.actor, HIDDEN)
        shooters = [foe for foe in self._in_sight if feet_between(self.combatant, foe) <= shot_range(foe)]
        pairs = [(foe.id, self.actor) for foe in shooters]
        less = sum(self.outlook.threat(*pair) - self.outlook.threat_after(hidden, *pair) for pair in pairs)
        return self._chance * STAYS_HIDDEN * less


class CunningAction(StepOfTheWind):
    """Running, hiding or slipping away, depending on its option."""

    def aims(self) -> Sequence[Aim]:
        return [*super().aims(), Aim(options={"as": "hide"})]

    def foresee(self, aim: Aim) -> Outcome:
        if aim.options.get("as") == "hide":
            return Hiding(self.outlook, self.piece).foresee(aim)
        return super().foresee(aim)


class NimbleEscape(Slip):
    """Hiding or slipping away, depending on its option."""

    archetype = "nimble escape"

    def aims(self) -> Sequence[Aim]:
        return [Aim(options={"as": "hide"}), *slips(self, **{"as": "disengage"})]

    def foresee(self, aim: Aim) -> Outcome:
        return super().foresee(aim) if aim.place is not None else Hiding(self.outlook, self.piece).foresee(aim)
