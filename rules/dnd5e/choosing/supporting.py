"""Options that help or hamper: healing, stances, blessings, curses, and what brings more attacks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from projections.combatant import Combatant
from rules.choosing.option import Aim
from rules.dnd5e.abilities.dodge import DODGING
from rules.dnd5e.abilities.help import HELPED
from rules.dnd5e.archetypes import afflictions, boons, healing
from rules.dnd5e.archetypes.parts import condition_ref
from rules.dnd5e.choosing.arms import attack_with
from rules.dnd5e.choosing.estimate import attack_odds, save_chance
from rules.dnd5e.choosing.odds import both, throw
from rules.dnd5e.choosing.options import Dnd5eOption
from rules.dnd5e.choosing.outcome import Affliction, Outcome
from rules.dnd5e.choosing.outlook import worth_of
from rules.dnd5e.features.monk import UNARMED
from rules.dnd5e.features.rage import RAGING
from rules.dnd5e.features.reckless_attack import RECKLESS
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.vitality import PRONE
from rules.grid import distance

LASTING = 2
"""Turns that something counts for which holds for the whole fight: fights are short."""


class Healing(Dnd5eOption):
    archetype = "healing"
    piece: healing.Healing

    def aims(self) -> Sequence[Aim]:
        return self.aims_at(self.outlook.friends) if self.piece.range else super().aims()

    def foresee(self, aim: Aim) -> Outcome:
        notation = self.piece.dice(self.combatant, self.how, self.piece.healing).notation
        added = sum(modifier.amount for modifier in self.piece.added(self.combatant))
        return Outcome(healing={(aim.targets or (self.actor,))[0]: both(throw(notation), {added: 1.0})})


class Stance(Dnd5eOption):
    """Something that its actor enters by itself, and how many turns it counts for."""

    archetype = "stance"
    conditions = {
        "dodge": (DODGING, 1),
        "patient_defense": (DODGING, 1),
        "rage": (RAGING, LASTING),
        "reckless_attack": (RECKLESS, 1),
    }

    def foresee(self, aim: Aim) -> Outcome:
        condition, turns = self.conditions[self.name]
        in_fight = condition == DODGING or self.leads_up > 0
        afflictions = [Affliction(self.actor, condition, turns=turns)] if in_fight else []
        return Outcome(afflictions=afflictions, opens_up=self.leads_up)


class StandingUp(Dnd5eOption):
    archetype = "move"

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome(afflictions=[Affliction(self.actor, PRONE, ends=True)], opens_up=self.leads_up, nearer=1.0)


class Helping(Dnd5eOption):
    archetype = "support"

    def aims(self) -> Sequence[Aim]:
        allies = [ally for ally in self.outlook.friends if ally is not self.combatant]
        near = [foe for foe in self.outlook.foes if _steps(self.combatant, foe) <= 1]
        return [Aim((ally.id, foe.id)) for ally, foe in product(allies, near)]

    def foresee(self, aim: Aim) -> Outcome:
        ally, foe = aim.targets
        return Outcome(afflictions=[Affliction(ally, HELPED, data={"against": foe})])


class Blessing(Dnd5eOption):
    archetype = "support"
    piece: boons.Boon

    def aims(self) -> Sequence[Aim]:
        """The nearest friends, as many as it is for."""
        friends = sorted(self.outlook.friends, key=lambda ally: (_steps(self.combatant, ally), ally.id))
        most = self.piece.number(self.how, self.piece.targets)
        return [Aim(tuple(ally.id for ally in friends[:most]), options=self.how)]

    def foresee(self, aim: Aim) -> Outcome:
        condition = condition_ref(self.piece.condition)
        return Outcome(afflictions=[Affliction(name, condition, turns=LASTING) for name in aim.targets])


class Curse(Dnd5eOption):
    """A condition for those who fail a save."""

    archetype = "curse"
    piece: afflictions.Affliction

    def aims(self) -> Sequence[Aim]:
        return self.aims_at(self.outlook.foes)

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome(afflictions=[self._affliction(name) for name in aim.targets])

    def _affliction(self, name: str) -> Affliction:
        battle, curse = self.outlook.battle, self.piece
        against = curse.difficulty(self.combatant)
        saved = save_chance(battle, battle.combatants[name], curse.save, against, curse.ref)
        return Affliction(name, condition_ref(curse.condition), chance=1 - saved, turns=LASTING)


class Surge(Dnd5eOption):
    """One action more: worth the attack that it buys, once the first one is used up."""

    archetype = "surge"

    def foresee(self, aim: Aim) -> Outcome:
        used_up = not self.outlook.attacks_left
        return Outcome(opens_up=self.outlook.capability(self.combatant.position) if used_up else 0.0)


class Flurry(Dnd5eOption):
    """Two unarmed strikes at whoever is next to its actor."""

    archetype = "surge"

    def foresee(self, aim: Aim) -> Outcome:
        fist = sheet_of(self.combatant).weapon(UNARMED)
        near = [foe for foe in self.outlook.foes if _steps(self.combatant, foe) <= 1]
        if fist is None or not near:
            return Outcome()
        odds = [(foe, attack_odds(attack_with(self.outlook.battle, fist, self.combatant, foe))[1]) for foe in near]
        return Outcome(opens_up=max(worth_of(both(blow, blow), foe) for foe, blow in odds))


def _steps(one: Combatant, other: Combatant) -> int:
    return distance(one.position, other.position) if one.position and other.position else 0
