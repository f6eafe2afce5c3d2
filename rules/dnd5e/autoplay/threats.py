"""Who threatens whom: what attacks would cost their targets, now and in hypothetical situations."""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.abilities.attack import attack_count_chain
from rules.dnd5e.autoplay.arms import Arm, arms_of, attack_with, turns_worth
from rules.dnd5e.autoplay.estimate import attack_odds
from rules.dnd5e.autoplay.hypothetical import with_condition, without_condition, without_places
from rules.dnd5e.autoplay.odds import Odds, at_least, mean_up_to
from rules.dnd5e.autoplay.outcome import Affliction
from rules.dnd5e.economy import RENEWED
from rules.dnd5e.modifiers import disadvantage, value_of
from rules.dnd5e.state import can_act
from rules.dnd5e.vitality import HP, TEMP_HP

KILL = 6.0
"""What taking an enemy out of the fight is worth, in hit points, on top of those it had left."""

_REMEMBERED: WeakKeyDictionary[Battle, dict[tuple[object, ...], Odds]] = WeakKeyDictionary()
"""Odds by battle, and within it by attacker, weapon, target and everybody's state."""

_REMEMBERED_THREATS: WeakKeyDictionary[Battle, dict[tuple[object, ...], float]] = WeakKeyDictionary()
"""Threats in hypothetical situations, remembered in the same way."""


class Threats:
    """What the combatants in a battle could do to each other, as one of them estimates it."""

    def __init__(self, battle: Battle, actor: Combatant) -> None:
        self.battle = battle
        self.actor = actor
        self._threats: dict[tuple[str, str], float] = {}

    @cached_property
    def bodiless(self) -> Battle:
        """The battle as if positions did not matter."""
        return without_places(self.battle)

    def threat(self, one: str, other: str) -> float:
        """What a turn of attacks would cost the target, wherever the two stand."""
        key = (one, other)
        if key not in self._threats:
            self._threats[key] = self._threat(self.battle.combatants[one], other)
        return self._threats[key]

    def _threat(self, attacker: Combatant, target: str) -> float:
        if not can_act(attacker):
            return 0.0
        attacks = value_of(attack_count_chain(attacker))
        return max(
            (turns_worth(arm, attacks, self.odds(attacker.id, arm, target)) for arm in arms_of(attacker)), default=0.0
        )

    def threat_after(self, affliction: Affliction, one: str, other: str) -> float:
        """The threat if a condition began or ended."""
        what = (affliction.target, affliction.condition, affliction.ends, repr(affliction.data))
        key = (what, one, other, self.actor.id, self._state)
        known = _REMEMBERED_THREATS.setdefault(self.battle, {})
        if key not in known:
            known[key] = threat_in(self.after(affliction), one, other)
        return known[key]

    def after(self, affliction: Affliction) -> Battle:
        """The battle without positions if a condition began or ended."""
        target, condition = affliction.target, affliction.condition
        if affliction.ends:
            return without_condition(self.bodiless, target, condition)
        return with_condition(self.bodiless, target, condition, self.actor.id, dict(affliction.data))

    def odds(self, one: str, arm: Arm, other: str, *, hampered: bool = False) -> Odds:
        """What an attack would cost its target, wherever the two stand. `hampered`: from a bad place for a shot.

        It is remembered as long as nobody's state changes.
        """
        key = (one, arm.name, other, hampered, self._state)
        known = _REMEMBERED.setdefault(self.battle, {})
        if key not in known:
            battle = self.bodiless
            attack = attack_with(battle, arm, battle.combatants[one], battle.combatants[other])
            place = [disadvantage(one, "dnd5e:choosing:place", "it stands badly")] if hampered else []
            known[key] = attack_odds(attack, situation=place)[1]
        return known[key]

    @cached_property
    def _state(self) -> tuple[object, ...]:
        """Everything that odds without positions depend on: who is present, conditions and lasting resources."""
        return tuple(
            (
                combatant.id,
                tuple((held.ref, held.since) for held in combatant.conditions.values()),
                tuple(pool.current for name, pool in combatant.economy.items() if name not in RENEWED),
            )
            for combatant in self.battle.present()
        )


def threat_in(battle: Battle, one: str, other: str) -> float:
    """What a turn with the best weapon or cantrip would cost the target."""
    attacker, target = battle.combatants[one], battle.combatants[other]
    if not can_act(attacker):
        return 0.0
    attacks = value_of(attack_count_chain(attacker))
    outcomes = [(arm, attack_odds(attack_with(battle, arm, attacker, target))[1]) for arm in arms_of(attacker)]
    return max((turns_worth(arm, attacks, odds) for arm, odds in outcomes), default=0.0)


def worth_of(odds: Odds, target: Combatant) -> float:
    """What the target's loss of hit points is worth: no more than it has, plus a bonus if it goes down."""
    return mean_up_to(odds, hit_points(target)) + KILL * at_least(odds, hit_points(target))


def hit_points(combatant: Combatant) -> int:
    return combatant.vitals[HP].current + combatant.vitals[TEMP_HP].current
