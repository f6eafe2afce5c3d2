"""What a combatant sees when it looks around: friends and foes, who threatens whom, and what it could do from where.

Made for one decision and thrown away after it; what is asked often is worked out once.
"""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.abilities.attack import attack_count_chain
from rules.dnd5e.choosing.arms import (
    Arm,
    arms_of,
    attack_with,
    farthest,
    is_shot,
    melee_reach,
    normal_range,
    reading_table,
    shot_range,
    turns_worth,
)
from rules.dnd5e.choosing.estimate import attack_odds
from rules.dnd5e.choosing.hypothetical import with_condition, without_condition, without_places
from rules.dnd5e.choosing.odds import Odds, at_least, mean_up_to, times
from rules.dnd5e.choosing.outcome import Affliction
from rules.dnd5e.economy import ACTION, ATTACKS, RENEWED
from rules.dnd5e.modifiers import value_of
from rules.dnd5e.movement import speed_of, ways_of
from rules.dnd5e.sheet import Weapon
from rules.dnd5e.sight import visible_from
from rules.dnd5e.state import can_act, is_dead, is_hostile
from rules.dnd5e.vitality import HP, TEMP_HP
from rules.grid import UNREACHABLE, Grid, Ways, distance, grid_of
from rules.table import Table

KILL = 6.0
"""What it is worth to take somebody out of the fight, in hit points, beyond those that it had left."""

HAMPERED = 0.7
"""What disadvantage leaves of an attack, roughly: for looking ahead only."""

_REMEMBERED: WeakKeyDictionary[Battle, dict[tuple[object, ...], Odds]] = WeakKeyDictionary()
"""Odds by battle, and within it by who, with what, against whom, and how everybody is."""

_REMEMBERED_THREATS: WeakKeyDictionary[Battle, dict[tuple[object, ...], float]] = WeakKeyDictionary()
"""Threats under conditions that are not, likewise."""


class Outlook:
    def __init__(self, battle: Battle, actor: Combatant) -> None:
        self.battle = battle
        self.actor = actor
        self.grid: Grid = grid_of(battle.encounter.map)
        present = battle.present()
        self.foes = [other for other in present if is_hostile(actor, other) and is_up(other)]
        self.friends = [other for other in present if not is_hostile(actor, other) and not is_dead(other)]
        self._threats: dict[tuple[str, str], float] = {}
        self._values: dict[tuple[str, str, bool], float] = {}

    @cached_property
    def table(self) -> Table:
        """For checks, which read from one. Nothing is ever recorded on it."""
        return reading_table(self.battle)

    @cached_property
    def bodiless(self) -> Battle:
        """The battle as if places did not matter."""
        return without_places(self.battle)

    # Who threatens whom

    def threat(self, one: str, other: str) -> float:
        """What one would take from the other in a turn of attacks, wherever they stand."""
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
            known[key] = threat_in(self._after(affliction), one, other)
        return known[key]

    def _after(self, affliction: Affliction) -> Battle:
        target, condition = affliction.target, affliction.condition
        if affliction.ends:
            return without_condition(self.bodiless, target, condition)
        return with_condition(self.bodiless, target, condition, self.actor.id, dict(affliction.data))

    def odds(self, one: str, arm: Arm, other: str) -> Odds:
        """What an attack would take, wherever the two stand. Remembered for as long as nobody's state changes."""
        key = (one, arm.name, other, self._state)
        known = _REMEMBERED.setdefault(self.battle, {})
        if key not in known:
            battle = self.bodiless
            known[key] = attack_odds(attack_with(battle, arm, battle.combatants[one], battle.combatants[other]))[1]
        return known[key]

    @cached_property
    def _state(self) -> tuple[object, ...]:
        """Everything that odds without places depend on: who is there, its conditions and what it has left for good."""
        return tuple(
            (
                combatant.id,
                tuple((held.ref, held.since) for held in combatant.conditions.values()),
                tuple(pool.current for name, pool in combatant.economy.items() if name not in RENEWED),
            )
            for combatant in self.battle.present()
        )

    def danger(self, place: Position | None) -> float:
        """What the enemies that can get at somebody here could take from the actor in a round."""
        return sum(self.threat(foe.id, self.actor.id) for foe in self.foes if can_act(foe) and self.gets_at(foe, place))

    def gets_at(self, foe: Combatant, place: Position | None) -> bool:
        """Whether a foe could hurt somebody at a place on its next turn."""
        if place is None or foe.position is None:
            return True
        feet = 5 * distance(foe.position, place)
        near, far = self._arms[foe.id]
        if feet <= near:
            return True
        return feet <= far and bool(visible_from(self.grid, foe.position)[place[1], place[0]])

    @cached_property
    def _arms(self) -> dict[str, tuple[int, int]]:
        """How far each foe gets with a step and a blow, and with a shot."""
        return {foe.id: (melee_reach(foe) + speed_of(foe), shot_range(foe)) for foe in self.foes}

    # What the actor could do

    @cached_property
    def attacks_left(self) -> int:
        """How many attacks can still be made this turn: those that an action buys, or one that is left of them."""
        if self.actor.economy.left(ACTION):
            return self.attacks_bought
        return min(1, self.actor.economy.left(ATTACKS))

    @cached_property
    def attacks_bought(self) -> int:
        return value_of(attack_count_chain(self.actor))

    def prospect(self, place: Position | None) -> float:
        """What the best attack from there is worth, if there is one left to make."""
        return self.capability(place) if self.attacks_left else 0.0

    def capability(self, place: Position | None) -> float:
        """What the best attack from a place is worth, whether or not it can still be paid for."""
        return max((self._worth(weapon, foe, place) for weapon in self.arms for foe in self.foes), default=0.0)

    @cached_property
    def arms(self) -> list[Arm]:
        """What the actor attacks with: its weapons and its cantrip."""
        return list(arms_of(self.actor))

    def _worth(self, arm: Arm, foe: Combatant, place: Position | None) -> float:
        if place is None or foe.position is None:
            return self._value(arm, foe, hampered=False)
        feet = 5 * distance(place, foe.position)
        if feet > farthest(arm) or (feet > 5 and not visible_from(self.grid, place)[foe.position[1]][foe.position[0]]):
            return 0.0
        return self._value(
            arm, foe, hampered=feet > normal_range(arm) or (is_shot(arm, feet) and self._is_crowded(place))
        )

    def _is_crowded(self, place: Position) -> bool:
        return any(distance(one, place) <= 1 for one in self._watchful)

    @cached_property
    def _watchful(self) -> list[Position]:
        """Where enemies stand who would hamper an archer."""
        return [foe.position for foe in self.foes if foe.position is not None and can_act(foe)]

    def _value(self, arm: Arm, foe: Combatant, *, hampered: bool) -> float:
        """The worth of an attack wherever it comes from, less if the place hampers it. Exact once one stands there."""
        key = (arm.name, foe.id, hampered)
        if key not in self._values:
            odds = self.odds(self.actor.id, arm, foe.id)
            count = self.attacks_bought if isinstance(arm, Weapon) and self.actor.economy.left(ACTION) else 1
            self._values[key] = (HAMPERED if hampered else 1.0) * worth_of(times(odds, count), foe)
        return self._values[key]

    @cached_property
    def ways(self) -> Ways | None:
        """Where the actor can walk to."""
        if self.actor.position is None:
            return None
        return ways_of(self.battle, self.actor, self.actor.position)

    @cached_property
    def _from_foes(self) -> Ways:
        return self.grid.ways([foe.position for foe in self.foes if foe.position is not None])

    def steps_to_foes(self, place: Position) -> float:
        """How many steps it is to the nearest enemy by the way around walls; 0 where there is no way."""
        cost = self._from_foes.cost(place)
        return cost / 100 if cost < UNREACHABLE else 0.0


def threat_in(battle: Battle, one: str, other: str) -> float:
    """What one would take from the other in a turn, with its best weapon or cantrip."""
    attacker, target = battle.combatants[one], battle.combatants[other]
    if not can_act(attacker):
        return 0.0
    attacks = value_of(attack_count_chain(attacker))
    outcomes = [(arm, attack_odds(attack_with(battle, arm, attacker, target))[1]) for arm in arms_of(attacker)]
    return max((turns_worth(arm, attacks, odds) for arm, odds in outcomes), default=0.0)


def worth_of(odds: Odds, target: Combatant) -> float:
    """What a loss of hit points by the target is worth: those it has, and more if it goes down."""
    return mean_up_to(odds, hit_points(target)) + KILL * at_least(odds, hit_points(target))


def hit_points(combatant: Combatant) -> int:
    return combatant.vitals[HP].current + combatant.vitals[TEMP_HP].current


def is_up(combatant: Combatant) -> bool:
    """Whether it is still in the fight: neither dead nor down."""
    return not is_dead(combatant) and combatant.vitals[HP].current > 0
