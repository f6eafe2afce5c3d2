"""Options that help or hamper: healing, stances, blessings, curses, power words, and extra attacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import DODGING
from combatlog.rules.dnd5e.actions.help_and_first_aid import HELPED
from combatlog.rules.dnd5e.archetypes import afflictions_and_power_words, boons_and_healing
from combatlog.rules.dnd5e.archetypes.afflictions_and_power_words import PowerWord
from combatlog.rules.dnd5e.archetypes.boons_and_healing import TemporaryHitPointsPower
from combatlog.rules.dnd5e.archetypes.registry import condition_ref
from combatlog.rules.dnd5e.autoplay.attack_options import DamageWithoutAttackOption
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import attack_with
from combatlog.rules.dnd5e.autoplay.metrics import protection, worth_of_condition
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import (
    ForeseenCondition,
    ForeseenOutcome,
    attack_odds,
    both,
    mean,
    save_chance,
    throw,
)
from combatlog.rules.dnd5e.autoplay.option_base import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.threats import hit_points, worth_of
from combatlog.rules.dnd5e.battlemap.space import steps_between
from combatlog.rules.dnd5e.combatant_state import can_act
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import UNARMED
from combatlog.rules.dnd5e.features.barbarian import RAGING, RECKLESS
from combatlog.rules.dnd5e.features.bard import INSPIRED
from combatlog.rules.dnd5e.hit_points import HP, PRONE, TEMP_HP, maximum_hp
from ledger.events import Data
from projections.battle.combatant import Combatant

INSPIRATION_HELPS = 1 / 6
"""The gain in an ally's expected damage from an inspiration die."""
LASTING = 2
"""The number of turns for which a condition that lasts all fight counts; fights are short."""


class HealingOption(Dnd5eOption):
    archetype = "healing"
    piece: boons_and_healing.HealingPower

    def aims(self) -> Sequence[OptionAim]:
        return self.aims_at(self.outlook.friends) if self.piece.range else super().aims()

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        notation = self.piece.dice(self.combatant, self.how, self.piece.healing).notation
        added = sum(modifier.amount for modifier in self.piece.added(self.combatant, self.how))
        return ForeseenOutcome(healing={(aim.targets or (self.actor,))[0]: both(throw(notation), {added: 1.0})})


class TemporaryHitPointsOption(Dnd5eOption):
    """Temporary hit points for the actor, worth the damage that they would absorb."""

    archetype = "temporary hit points"
    piece: TemporaryHitPointsPower

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        notation = self.piece.dice(self.combatant, self.how, self.piece.temporary).notation
        added = sum(modifier.amount for modifier in self.piece.added(self.combatant, self.how))
        more = mean(throw(notation)) + added - self.combatant.vitals[TEMP_HP].current
        return ForeseenOutcome(spared=max(0.0, min(more, self.outlook.danger(self.combatant.position))))


class LayOnHandsOption(Dnd5eOption):
    """As many points as are missing, for a friend within reach."""

    archetype = "healing"

    def aims(self) -> Sequence[OptionAim]:
        return self.aims_at(friend for friend in self.outlook.friends if steps_between(self.combatant, friend) <= 1)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        (name,) = aim.targets
        friend = self.outlook.battle.combatants[name]
        missing = maximum_hp(friend) - friend.vitals[HP].current
        points = max(0, min(missing, self.combatant.economy.left(self.name)))
        return ForeseenOutcome(healing={name: {points: 1.0}})


class BardicInspirationOption(Dnd5eOption):
    """A die for the ally whose attacks are worth the most; it turns about one miss in six into a hit."""

    archetype = "support"

    def aims(self) -> Sequence[OptionAim]:
        allies = [ally for ally in self.outlook.friends if ally is not self.combatant and can_act(ally)]
        return self.aims_at(ally for ally in allies if not ally.has(INSPIRED))

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        blows = [self.outlook.threat(aim.targets[0], foe.id) for foe in self.outlook.foes]
        return ForeseenOutcome(ambush=INSPIRATION_HELPS * max(blows, default=0.0))


class SearchOption(Dnd5eOption):
    """Looking for hidden enemies, if there is no other enemy to attack."""

    archetype = "support"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return ForeseenOutcome() if self.outlook.can_attack else ForeseenOutcome(nearer=1.0)


class StanceOption(Dnd5eOption):
    """A condition that the actor gives itself, and the number of turns for which it counts."""

    archetype = "stance"
    conditions = {
        "dodge": (DODGING, 1),
        "patient_defense": (DODGING, 1),
        "rage": (RAGING, LASTING),
    }

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        condition, turns = self.conditions[self.name]
        affliction = ForeseenCondition(self.actor, condition, turns=turns)
        if condition == DODGING:  # it improves no attack, so it can wait until the attacks are made
            spared = protection(self.outlook, affliction) if self.outlook.can_win else 0.0
            return ForeseenOutcome(spared=spared / self.outlook.boldness)
        entered = ForeseenOutcome(afflictions=[affliction])
        return replace(entered, opens_up=self.leads_up) if self.leads_up > 0 else ForeseenOutcome()


class RecklessAttackOption(Dnd5eOption):
    """Better attacks this turn, more danger until the next; worth it only with an enemy in reach."""

    archetype = "stance"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        here, more = self.combatant.position, self.outlook.gain_here(RECKLESS) if self.outlook.attacks_left else 0.0
        if more <= 0:
            return ForeseenOutcome()
        exposed = protection(self.outlook, ForeseenCondition(self.actor, RECKLESS))
        return ForeseenOutcome(opens_up=self.outlook.prospect(here) + more, spared=exposed)


class StandUpOption(Dnd5eOption):
    archetype = "move"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return ForeseenOutcome(
            afflictions=[ForeseenCondition(self.actor, PRONE, ends=True)], opens_up=self.leads_up, nearer=1.0
        )


class HelpOption(Dnd5eOption):
    archetype = "support"

    def aims(self) -> Sequence[OptionAim]:
        allies = [ally for ally in self.outlook.friends if ally is not self.combatant and can_act(ally)]
        near = [foe for foe in self.outlook.foes if steps_between(self.combatant, foe) <= 1]
        useful = [pair for pair in product(allies, near) if self.outlook.gets_at(pair[0], pair[1].position)]
        return [OptionAim((ally.id, foe.id)) for ally, foe in useful]

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        ally, foe = aim.targets
        return ForeseenOutcome(afflictions=[ForeseenCondition(ally, HELPED, data={"against": foe})])


class SpellConditionOption(Dnd5eOption):
    """A condition for as many targets as a slot allows, starting with those for whom it is worth the most."""

    def candidates(self) -> list[Combatant]:
        raise NotImplementedError

    def affliction(self, name: str) -> ForeseenCondition:
        raise NotImplementedError

    def aims(self) -> Sequence[OptionAim]:
        """The best targets for each remaining slot; a higher slot only if it affects more targets."""
        found: list[OptionAim] = []
        for how in self.ways_to_pay:
            targets = self._best_set(how)
            if len(targets) > (len(found[-1].targets) if found else 0):
                found.append(OptionAim(targets, options=how))
        return found

    def _best_set(self, how: Data) -> tuple[str, ...]:
        """The most valuable targets, as many as the spell's own checks allow."""
        chosen: tuple[str, ...] = ()
        for name in self._by_worth:
            if self.permits(OptionAim((*chosen, name), options=how)):
                chosen = (*chosen, name)
        return chosen

    @cached_property
    def _by_worth(self) -> list[str]:
        """The targets for whom it is worth something, the most valuable first."""
        worth = {one.id: worth_of_condition(self.outlook, self.affliction(one.id)) for one in self.candidates()}
        return sorted((name for name in worth if worth[name] > 0), key=lambda name: (-worth[name], name))

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        return ForeseenOutcome(afflictions=[self.affliction(name) for name in aim.targets])


class BlessingOption(SpellConditionOption):
    archetype = "support"
    piece: boons_and_healing.Boon

    def candidates(self) -> list[Combatant]:
        return self.outlook.friends

    def affliction(self, name: str) -> ForeseenCondition:
        return ForeseenCondition(name, condition_ref(self.piece.condition), turns=LASTING)


class CurseOption(SpellConditionOption):
    """A condition on a failed save."""

    archetype = "curse"
    piece: afflictions_and_power_words.AfflictionPower

    def candidates(self) -> list[Combatant]:
        return self.outlook.foes

    def affliction(self, name: str) -> ForeseenCondition:
        battle, curse = self.outlook.battle, self.piece
        against = curse.difficulty(self.combatant)
        saved = save_chance(battle, battle.combatants[name], curse.save, against, curse.ref)
        return ForeseenCondition(name, condition_ref(curse.condition), chance=1 - saved, turns=LASTING)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        """The conditions, and for targets that would be destroyed the loss of all hit points."""
        foreseen = super().foresee(aim)
        combatants = self.outlook.battle.combatants
        ended = [
            one for one in foreseen.afflictions if self.piece.is_the_end_of(combatants[one.target], self.combatant)
        ]
        harm = {one.target: {hit_points(combatants[one.target]): one.chance, 0: 1 - one.chance} for one in ended}
        return replace(foreseen, harm=harm) if harm else foreseen


class ActionSurgeOption(Dnd5eOption):
    """An extra action: worth the attack that it buys, once the first action is used up."""

    archetype = "surge"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        used_up = not self.outlook.attacks_left
        return ForeseenOutcome(opens_up=self.outlook.capability(self.combatant.position) if used_up else 0.0)


class FlurryOption(Dnd5eOption):
    """Two unarmed strikes against an adjacent enemy."""

    archetype = "surge"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        fist = sheet_of(self.combatant).weapon(UNARMED)
        near = [foe for foe in self.outlook.foes if steps_between(self.combatant, foe) <= 1]
        if fist is None or not near:
            return ForeseenOutcome()
        odds = [(foe, attack_odds(attack_with(self.outlook.battle, fist, self.combatant, foe))[1]) for foe in near]
        return ForeseenOutcome(opens_up=max(worth_of(both(blow, blow), foe) for foe, blow in odds))


class PowerWordOption(DamageWithoutAttackOption):
    archetype = "curse"
    piece: PowerWord  # type: ignore[assignment]

    @property
    def notation(self) -> str:
        return self.piece.damage or "0"

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        (name,) = aim.targets
        word, target = self.piece, self.outlook.battle.combatants[name]
        if not word.is_enough_for(target):
            return ForeseenOutcome(harm={name: throw(word.damage)}) if word.damage is not None else ForeseenOutcome()
        if word.condition is None:
            return ForeseenOutcome(harm={name: {hit_points(target): 1.0}})
        return ForeseenOutcome(afflictions=[ForeseenCondition(name, condition_ref(word.condition), turns=LASTING)])
