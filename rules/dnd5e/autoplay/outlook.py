"""A combatant's view of the battle: friends and foes, who can reach whom, and what it could do from where.

An outlook is made for one decision and then discarded; what is asked often is worked out once.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.abilities.attack import attack_count_chain
from rules.dnd5e.autoplay.arms import (
    Arm,
    arms_of,
    attack_with,
    can_reach,
    farthest,
    is_shot,
    melee_reach,
    normal_range,
    reading_table,
    shot_range,
)
from rules.dnd5e.autoplay.estimate import attack_odds
from rules.dnd5e.autoplay.hypothetical import standing_at, with_condition
from rules.dnd5e.autoplay.odds import times
from rules.dnd5e.autoplay.striking_distance import endangered_squares
from rules.dnd5e.autoplay.threats import Threats, worth_of
from rules.dnd5e.contexts import feet_between
from rules.dnd5e.economy import ACTION, ATTACKS, MOVEMENT, REACTION
from rules.dnd5e.modifiers import value_of
from rules.dnd5e.movement import STEP, speed_of, ways_of
from rules.dnd5e.sheet import Weapon
from rules.dnd5e.sight import has_line, visible_from
from rules.dnd5e.state import can_act, is_dead, is_hostile
from rules.dnd5e.vitality import HP, PRONE
from rules.engine.grid import UNREACHABLE, Grid, Ways, distance, grid_of
from rules.engine.table import Table

CRAWL = 2 * STEP
"""What a step costs while prone."""


class Outlook(Threats):
    def __init__(self, battle: Battle, actor: Combatant) -> None:
        super().__init__(battle, actor)
        self.grid: Grid = grid_of(battle.encounter.map)
        present = battle.present()
        self.foes = [other for other in present if is_hostile(actor, other) and is_up(other)]
        self.friends = [other for other in present if not is_hostile(actor, other) and not is_dead(other)]
        self._values: dict[tuple[str, str, bool], float] = {}
        self._closer: dict[Position | None, float] = {}
        self._endangered: dict[str, Any] = {}
        self.strikers: dict[Position | tuple[Position, Position], list[str]] = {}
        """Who could attack the actor on its way to a place or at one step; filled as it is asked for."""

    @cached_property
    def table(self) -> Table:
        """A table for checks to read from. Nothing is ever recorded on it."""
        return reading_table(self.battle)

    @property
    def boldness(self) -> float:
        """Grows with each round: endless caution would never end a fight."""
        return 1 + self.battle.clock.round / 4

    # What the foes could do

    def danger(self, place: Position | None) -> float:
        """What the actor could lose in a round to the enemies that can reach this place."""
        if place is None:
            return sum(self.threat(foe.id, self.actor.id) for foe in self.foes)
        danger: float = self._dangers[place[1]][place[0]]
        return danger

    @cached_property
    def _dangers(self) -> Any:
        """The danger of every square, by rows."""
        import numpy as np

        everywhere = np.zeros((self.grid.height, self.grid.width))
        for foe in self.foes:
            everywhere += self.threat(foe.id, self.actor.id) * self._endangered_by(foe)
        return everywhere.tolist()

    def gets_at(self, somebody: Combatant, place: Position | None) -> bool:
        """Whether somebody, friend or foe, could attack a place on its next turn."""
        return place is None or somebody.position is None or bool(self._endangered_by(somebody)[place[1], place[0]])

    def _endangered_by(self, somebody: Combatant) -> Any:
        if somebody.id not in self._endangered:
            self._endangered[somebody.id] = endangered_squares(self.battle, somebody)
        return self._endangered[somebody.id]

    @cached_property
    def guarded(self) -> set[Position]:
        """The squares within reach of a foe that could make an opportunity attack."""
        watching = [foe for foe in self.foes if can_act(foe) and foe.economy.left(REACTION)]
        return {square for foe in watching for square in _around(foe.position, melee_reach(foe) // STEP)}

    def must_come(self, foe: Combatant) -> bool:
        """Whether a foe cannot hurt anybody from where it is, and so has a reason to approach."""
        if not can_act(foe):
            return False
        far = max(melee_reach(foe), shot_range(foe))
        near = [ally for ally in self.friends if is_up(ally) and feet_between(ally, foe) <= far]
        return not any(has_line(self.battle, foe, ally) for ally in near)

    # What the actor could do

    @cached_property
    def attacks_left(self) -> int:
        """How many attacks the actor can still make this turn: those that an action buys, or one already bought."""
        if self.actor.economy.left(ACTION):
            return self.attacks_bought
        return min(1, self.actor.economy.left(ATTACKS))

    @cached_property
    def attacks_bought(self) -> int:
        return value_of(attack_count_chain(self.actor))

    def prospect(self, place: Position | None) -> float:
        """What the best attack from a place is worth, if the actor has one left."""
        return self.capability(place) if self.attacks_left else 0.0

    def capability(self, place: Position | None) -> float:
        """What the best attack from a place is worth, whether or not the actor can still pay for it.

        It is exact where the actor stands; elsewhere it is an upper bound, as cover and adjacency are not considered.
        """
        if place == self.actor.position:
            return self.closer(place)
        return max((self._worth(arm, foe, place) for arm in self.arms for foe in self.foes), default=0.0)

    def closer(self, place: Position | None) -> float:
        """The exact capability of a place, as if the actor stood there; the most promising attack is tried first."""
        if place not in self._closer:
            self._closer[place] = self._best_from(place)
        return self._closer[place]

    def gain_here(self, condition: str) -> float:
        """How much better the best attack from here would be with a condition."""
        other = with_condition(self.battle, self.actor.id, condition, self.actor.id)
        under_it = Outlook(other, other.combatants[self.actor.id])
        return under_it.closer(self.actor.position) - self.closer(self.actor.position)

    def _best_from(self, place: Position | None) -> float:
        hopes = [(self._hope(arm, foe, place), arm, foe) for arm in self.arms for foe in self.foes]
        best = 0.0
        for hope, arm, foe in sorted(hopes, key=lambda found: -found[0]):
            if hope <= best:
                break
            best = max(best, self._worth_from(place, arm, foe))
        return best

    def _worth_from(self, place: Position | None, arm: Arm, foe: Combatant) -> float:
        battle = self.battle if place in (None, self.actor.position) else standing_at(self.battle, self.actor, place)
        actor = battle.combatants[self.actor.id]
        if not can_reach(battle, arm, actor, foe):
            return 0.0
        return worth_of(times(attack_odds(attack_with(battle, arm, actor, foe))[1], self._count(arm)), foe)

    @cached_property
    def arms(self) -> list[Arm]:
        """What the actor attacks with: its weapons and cantrips."""
        return list(arms_of(self.actor))

    def _worth(self, arm: Arm, foe: Combatant, place: Position | None) -> float:
        """Checking every corner of distant squares is too slow: only plainly visible targets count."""
        return self._hope(arm, foe, place) if self._is_plain(foe.position, place) else 0.0

    def _is_plain(self, there: Position | None, place: Position | None) -> bool:
        if there is None or place is None or distance(place, there) <= 1:
            return True
        return bool(visible_from(self.grid, place)[there[1]][there[0]])

    def _hope(self, arm: Arm, foe: Combatant, place: Position | None) -> float:
        """What an attack is worth if nothing is in the way."""
        if place is None or foe.position is None:
            return self._value(arm, foe, hampered=False)
        feet = 5 * distance(place, foe.position)
        if feet > farthest(arm):
            return 0.0
        return self._value(
            arm, foe, hampered=feet > normal_range(arm) or (is_shot(arm, feet) and self._is_crowded(place))
        )

    def _is_crowded(self, place: Position) -> bool:
        return any(distance(one, place) <= 1 for one in self._watchful)

    @cached_property
    def _watchful(self) -> list[Position]:
        """The positions of enemies that would hamper an archer."""
        return [foe.position for foe in self.foes if foe.position is not None and can_act(foe)]

    def _value(self, arm: Arm, foe: Combatant, *, hampered: bool) -> float:
        """The worth of an attack from anywhere; less if the place hampers it."""
        key = (arm.name, foe.id, hampered)
        if key not in self._values:
            odds = self.odds(self.actor.id, arm, foe.id, hampered=hampered)
            self._values[key] = worth_of(times(odds, self._count(arm)), foe)
        return self._values[key]

    def _count(self, arm: Arm) -> int:
        return self.attacks_bought if isinstance(arm, Weapon) and self.actor.economy.left(ACTION) else 1

    @cached_property
    def ways(self) -> Ways | None:
        """Where the actor can walk to."""
        if self.actor.position is None:
            return None
        return ways_of(self.battle, self.actor, self.actor.position)

    @property
    def movement_left(self) -> int:
        return self.actor.economy.left(MOVEMENT) if speed_of(self.actor) else 0

    @cached_property
    def reachable(self) -> list[Position]:
        """The free squares within the remaining movement, row by row."""
        return self.squares_within(self.movement_left)

    def squares_within(self, feet: int) -> list[Position]:
        """The free squares within this much movement, row by row."""
        if self.ways is None or self.actor.position is None or feet <= 0:
            return []
        steps = feet // (CRAWL if self.actor.has(PRONE) else STEP)
        taken = {other.position for other in self.battle.present()}
        return [place for place in _nearby(self.ways, self.actor.position, steps) if place not in taken]

    @cached_property
    def can_attack(self) -> bool:
        """Whether the actor can attack anybody this turn, from here or from a square it can walk to."""
        return any(self.prospect(place) > 0 for place in (self.actor.position, *self.reachable))

    @cached_property
    def _from_foes(self) -> Ways:
        return self.grid.ways([foe.position for foe in self.foes if foe.position is not None])

    def steps_to_foes(self, place: Position) -> float:
        """How many steps it is around walls to the nearest enemy; 0 if there is no path."""
        cost = self._from_foes.cost(place)
        return cost / 100 if cost < UNREACHABLE else 0.0


def _around(place: Position | None, steps: int) -> list[Position]:
    if place is None:
        return []
    span = range(-steps, steps + 1)
    return [(place[0] + x, place[1] + y) for y in span for x in span]


def _nearby(ways: Ways, here: Position, steps: int) -> list[Position]:
    costs = ways.costs
    rows = range(max(0, here[1] - steps), min(len(costs) - 1, here[1] + steps + 1))
    columns = range(max(0, here[0] - steps), min(len(costs[0]), here[0] + steps + 1))
    return [(x, y) for y in rows for x in columns if 0 < costs[y][x] // 100 <= steps]


def is_up(combatant: Combatant) -> bool:
    """Whether it is still fighting: neither dead nor down."""
    return not is_dead(combatant) and combatant.vitals[HP].current > 0
