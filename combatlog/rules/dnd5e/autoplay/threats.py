"""Threats: the expected damage of attacks to their targets, now and in hypothetical battles."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from combatlog.rules.dnd5e.autoplay.attacks_and_reach import AttackMeans, attack_means_of, attack_with, turns_worth
from combatlog.rules.dnd5e.autoplay.estimate_cache import EstimateCache, estimate_cache_of, state_of
from combatlog.rules.dnd5e.autoplay.hypothetical_battles import with_condition, without_condition, without_places
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import ForeseenCondition, Odds, at_least, attack_odds, mean_up_to
from combatlog.rules.dnd5e.combatant_state import can_act
from combatlog.rules.dnd5e.hit_points import HP, TEMP_HP
from combatlog.rules.dnd5e.modifiers import disadvantage
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

KILL = 6.0
"""The worth of taking an enemy out of the fight, in hit points, on top of those it had left."""


class Threats:
    """The threats of combatants to each other, as estimated by one of them."""

    def __init__(self, battle: Battle, actor: Combatant, memory: EstimateCache | None = None) -> None:
        self.battle = battle
        self.actor = actor
        self.memory = memory if memory is not None else estimate_cache_of(battle)
        self._imagined: dict[Hashable, Battle] = {}

    @cached_property
    def bodiless(self) -> Battle:
        """The battle without positions."""
        return without_places(self.battle)

    def threat(self, one: str, other: str) -> float:
        """The expected loss of the target to a turn of attacks, regardless of positions."""
        key = ("threat", one, other, self.state)
        return self.memory.recall(key, lambda: self._threat(self.battle.combatants[one], other))

    def _threat(self, attacker: Combatant, target: str) -> float:
        if not can_act(attacker):
            return 0.0
        worth = [
            turns_worth(attacker, arm, lambda used: self.odds(attacker.id, used, target))
            for arm in attack_means_of(attacker)
        ]
        return max(worth, default=0.0)

    def threat_after(self, affliction: ForeseenCondition, one: str, other: str) -> float:
        """The threat if a condition began or ended."""
        what = (affliction.target, affliction.condition, affliction.ends, repr(affliction.data))
        key = ("threat after", what, one, other, self.actor.id, self.is_own_turn, self.state)
        return self.memory.recall(key, lambda: threat_in(self._after(affliction, what), one, other))

    @property
    def is_own_turn(self) -> bool:
        """Whether it is the actor's turn, on which a hypothetical condition can depend."""
        return self.battle.clock.turn == self.actor.id

    def _after(self, affliction: ForeseenCondition, what: Hashable) -> Battle:
        """The battle without positions if a condition began or ended."""
        if what not in self._imagined:
            self._imagined[what] = self._imagine(affliction)
        return self._imagined[what]

    def _imagine(self, affliction: ForeseenCondition) -> Battle:
        target, condition = affliction.target, affliction.condition
        if affliction.ends:
            return without_condition(self.bodiless, target, condition)
        return with_condition(self.bodiless, target, condition, self.actor.id, dict(affliction.data))

    def odds(self, one: str, arm: AttackMeans, other: str, *, hampered: bool = False) -> Odds:
        """The odds of an attack's damage, regardless of positions. With `hampered`, from a bad place for a shot.
        They are cached as long as no combatant's state changes.
        """
        key = ("odds", one, arm.name, other, hampered, self.state)
        return self.memory.recall(key, lambda: self.odds_in(self.bodiless, one, arm, other, hampered))

    def odds_in(self, battle: Battle, one: str, arm: AttackMeans, other: str, hampered: bool) -> Odds:
        """The odds of an attack's damage in a battle where at least one of the two has no position."""
        attack = attack_with(battle, arm, battle.combatants[one], battle.combatants[other])
        attack.close = True
        place = [disadvantage(one, "dnd5e:choosing:place", "bad position")] if hampered else []
        return attack_odds(attack, situation=place)[1]

    @cached_property
    def state(self) -> int:
        """A number that identifies everything on which odds depend, apart from positions."""
        return self.memory.number_of(tuple(state_of(self.battle, combatant) for combatant in self.battle.present()))


def threat_in(battle: Battle, one: str, other: str) -> float:
    """The expected loss of the target to a turn with the best weapon or cantrip."""
    attacker, target = battle.combatants[one], battle.combatants[other]
    if not can_act(attacker):
        return 0.0

    def odds(arm: AttackMeans) -> Odds:
        return attack_odds(attack_with(battle, arm, attacker, target))[1]

    return max((turns_worth(attacker, arm, odds) for arm in attack_means_of(attacker)), default=0.0)


def worth_of(odds: Odds, target: Combatant) -> float:
    """The worth of the target's loss: at most the hit points it has, plus a bonus if it goes down."""
    return mean_up_to(odds, hit_points(target)) + KILL * at_least(odds, hit_points(target))


def hit_points(combatant: Combatant) -> int:
    return combatant.vitals[HP].current + combatant.vitals[TEMP_HP].current
