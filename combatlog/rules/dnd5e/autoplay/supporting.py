"""Options that help or hamper: healing, stances, blessings, curses, and extra attacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.dnd5e.abilities.dodge import DODGING
from combatlog.rules.dnd5e.abilities.help import HELPED
from combatlog.rules.dnd5e.archetypes import afflictions, boons, healing
from combatlog.rules.dnd5e.archetypes.parts import condition_ref
from combatlog.rules.dnd5e.archetypes.temporary import Temporary
from combatlog.rules.dnd5e.autoplay.arms import attack_with
from combatlog.rules.dnd5e.autoplay.estimate import attack_odds, save_chance
from combatlog.rules.dnd5e.autoplay.odds import both, mean, throw
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outcome import Affliction, Outcome
from combatlog.rules.dnd5e.autoplay.threats import hit_points, worth_of
from combatlog.rules.dnd5e.autoplay.worth import protection, worth_of_condition
from combatlog.rules.dnd5e.features.bardic_inspiration import INSPIRED
from combatlog.rules.dnd5e.features.rage import RAGING
from combatlog.rules.dnd5e.features.reckless_attack import RECKLESS
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.space import steps_between
from combatlog.rules.dnd5e.state import can_act
from combatlog.rules.dnd5e.vitality import HP, PRONE, TEMP_HP, maximum_hp
from combatlog.rules.dnd5e.weapons import UNARMED
from ledger.events import Data
from projections.combatant import Combatant

INSPIRATION_HELPS = 1 / 6
"""How many more of an ally's attacks hit with an inspiration die."""
LASTING = 2
"""How many turns something that lasts all fight is counted for: fights are short."""


class Healing(Dnd5eOption):
    archetype = "healing"
    piece: healing.Healing

    def aims(self) -> Sequence[Aim]:
        return self.aims_at(self.outlook.friends) if self.piece.range else super().aims()

    def foresee(self, aim: Aim) -> Outcome:
        notation = self.piece.dice(self.combatant, self.how, self.piece.healing).notation
        added = sum(modifier.amount for modifier in self.piece.added(self.combatant, self.how))
        return Outcome(healing={(aim.targets or (self.actor,))[0]: both(throw(notation), {added: 1.0})})


class Bolstering(Dnd5eOption):
    """Temporary hit points for the actor, worth what they would keep enemies from taking."""

    archetype = "temporary hit points"
    piece: Temporary

    def foresee(self, aim: Aim) -> Outcome:
        notation = self.piece.dice(self.combatant, self.how, self.piece.temporary).notation
        added = sum(modifier.amount for modifier in self.piece.added(self.combatant, self.how))
        more = mean(throw(notation)) + added - self.combatant.vitals[TEMP_HP].current
        return Outcome(spared=max(0.0, min(more, self.outlook.danger(self.combatant.position))))


class LayingOnHands(Dnd5eOption):
    """As many points as are missing, for whoever can be touched."""

    archetype = "healing"

    def aims(self) -> Sequence[Aim]:
        return self.aims_at(friend for friend in self.outlook.friends if steps_between(self.combatant, friend) <= 1)

    def foresee(self, aim: Aim) -> Outcome:
        (name,) = aim.targets
        friend = self.outlook.battle.combatants[name]
        missing = maximum_hp(friend) - friend.vitals[HP].current
        points = max(0, min(missing, self.combatant.economy.left(self.name)))
        return Outcome(healing={name: {points: 1.0}})


class Inspiring(Dnd5eOption):
    """A die for the ally whose attacks are worth the most: it turns about one miss in six into a hit."""

    archetype = "support"

    def aims(self) -> Sequence[Aim]:
        allies = [ally for ally in self.outlook.friends if ally is not self.combatant and can_act(ally)]
        return self.aims_at(ally for ally in allies if not ally.has(INSPIRED))

    def foresee(self, aim: Aim) -> Outcome:
        blows = [self.outlook.threat(aim.targets[0], foe.id) for foe in self.outlook.foes]
        return Outcome(ambush=INSPIRATION_HELPS * max(blows, default=0.0))


class Searching(Dnd5eOption):
    """Looking for hidden enemies, if nobody else is there to be attacked."""

    archetype = "support"

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome() if self.outlook.can_attack else Outcome(nearer=1.0)


class Stance(Dnd5eOption):
    """A condition that the actor enters itself, and how many turns it counts for."""

    archetype = "stance"
    conditions = {
        "dodge": (DODGING, 1),
        "patient_defense": (DODGING, 1),
        "rage": (RAGING, LASTING),
    }

    def foresee(self, aim: Aim) -> Outcome:
        condition, turns = self.conditions[self.name]
        affliction = Affliction(self.actor, condition, turns=turns)
        if condition == DODGING:  # it improves no attack, so it can wait until the attacks are made
            spared = protection(self.outlook, affliction) if self.outlook.can_win else 0.0
            return Outcome(spared=spared / self.outlook.boldness)
        entered = Outcome(afflictions=[affliction])
        return replace(entered, opens_up=self.leads_up) if self.leads_up > 0 else Outcome()


class Recklessness(Dnd5eOption):
    """Better attacks this turn, more danger until the next: only worth it with somebody in reach."""

    archetype = "stance"

    def foresee(self, aim: Aim) -> Outcome:
        here, more = self.combatant.position, self.outlook.gain_here(RECKLESS) if self.outlook.attacks_left else 0.0
        if more <= 0:
            return Outcome()
        exposed = protection(self.outlook, Affliction(self.actor, RECKLESS))
        return Outcome(opens_up=self.outlook.prospect(here) + more, spared=exposed)


class StandingUp(Dnd5eOption):
    archetype = "move"

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome(afflictions=[Affliction(self.actor, PRONE, ends=True)], opens_up=self.leads_up, nearer=1.0)


class Helping(Dnd5eOption):
    archetype = "support"

    def aims(self) -> Sequence[Aim]:
        allies = [ally for ally in self.outlook.friends if ally is not self.combatant and can_act(ally)]
        near = [foe for foe in self.outlook.foes if steps_between(self.combatant, foe) <= 1]
        useful = [pair for pair in product(allies, near) if self.outlook.gets_at(pair[0], pair[1].position)]
        return [Aim((ally.id, foe.id)) for ally, foe in useful]

    def foresee(self, aim: Aim) -> Outcome:
        ally, foe = aim.targets
        return Outcome(afflictions=[Affliction(ally, HELPED, data={"against": foe})])


class Enchantment(Dnd5eOption):
    """A condition for as many targets as a slot allows: those for whom it is worth the most."""

    def candidates(self) -> list[Combatant]:
        raise NotImplementedError

    def affliction(self, name: str) -> Affliction:
        raise NotImplementedError

    def aims(self) -> Sequence[Aim]:
        """The best targets for each slot that is left; a higher slot only if it affects more targets."""
        found: list[Aim] = []
        for how in self.ways_to_pay:
            targets = self._best_set(how)
            if len(targets) > (len(found[-1].targets) if found else 0):
                found.append(Aim(targets, options=how))
        return found

    def _best_set(self, how: Data) -> tuple[str, ...]:
        """The most valuable targets first, as long as the spell's own checks allow one more."""
        chosen: tuple[str, ...] = ()
        for name in self._by_worth:
            if self.permits(Aim((*chosen, name), options=how)):
                chosen = (*chosen, name)
        return chosen

    @cached_property
    def _by_worth(self) -> list[str]:
        """The targets for whom it is worth anything, the most valuable first."""
        worth = {one.id: worth_of_condition(self.outlook, self.affliction(one.id)) for one in self.candidates()}
        return sorted((name for name in worth if worth[name] > 0), key=lambda name: (-worth[name], name))

    def foresee(self, aim: Aim) -> Outcome:
        return Outcome(afflictions=[self.affliction(name) for name in aim.targets])


class Blessing(Enchantment):
    archetype = "support"
    piece: boons.Boon

    def candidates(self) -> list[Combatant]:
        return self.outlook.friends

    def affliction(self, name: str) -> Affliction:
        return Affliction(name, condition_ref(self.piece.condition), turns=LASTING)


class Curse(Enchantment):
    """A condition on a failed save."""

    archetype = "curse"
    piece: afflictions.Affliction

    def candidates(self) -> list[Combatant]:
        return self.outlook.foes

    def affliction(self, name: str) -> Affliction:
        battle, curse = self.outlook.battle, self.piece
        against = curse.difficulty(self.combatant)
        saved = save_chance(battle, battle.combatants[name], curse.save, against, curse.ref)
        return Affliction(name, condition_ref(curse.condition), chance=1 - saved, turns=LASTING)

    def foresee(self, aim: Aim) -> Outcome:
        """Those who would be destroyed lose all they have."""
        foreseen = super().foresee(aim)
        combatants = self.outlook.battle.combatants
        ended = [
            one for one in foreseen.afflictions if self.piece.is_the_end_of(combatants[one.target], self.combatant)
        ]
        harm = {one.target: {hit_points(combatants[one.target]): one.chance, 0: 1 - one.chance} for one in ended}
        return replace(foreseen, harm=harm) if harm else foreseen


class Surge(Dnd5eOption):
    """An extra action: worth the attack it buys, once the first action is used up."""

    archetype = "surge"

    def foresee(self, aim: Aim) -> Outcome:
        used_up = not self.outlook.attacks_left
        return Outcome(opens_up=self.outlook.capability(self.combatant.position) if used_up else 0.0)


class Flurry(Dnd5eOption):
    """Two unarmed strikes against an adjacent enemy."""

    archetype = "surge"

    def foresee(self, aim: Aim) -> Outcome:
        fist = sheet_of(self.combatant).weapon(UNARMED)
        near = [foe for foe in self.outlook.foes if steps_between(self.combatant, foe) <= 1]
        if fist is None or not near:
            return Outcome()
        odds = [(foe, attack_odds(attack_with(self.outlook.battle, fist, self.combatant, foe))[1]) for foe in near]
        return Outcome(opens_up=max(worth_of(both(blow, blow), foe) for foe, blow in odds))
