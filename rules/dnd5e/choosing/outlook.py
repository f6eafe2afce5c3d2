"""What a combatant sees when it looks around: friends and foes, who can get at whom, and what it could do from where.

Made for one decision and thrown away after it; what is asked often is worked out once.
"""

from __future__ import annotations

from functools import cached_property

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.abilities.attack import attack_count_chain
from rules.dnd5e.choosing.arms import (
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
from rules.dnd5e.choosing.estimate import attack_odds
from rules.dnd5e.choosing.hypothetical import standing_at
from rules.dnd5e.choosing.odds import times
from rules.dnd5e.choosing.threats import Threats, worth_of
from rules.dnd5e.economy import ACTION, ATTACKS
from rules.dnd5e.modifiers import value_of
from rules.dnd5e.movement import speed_of, ways_of
from rules.dnd5e.sheet import Weapon
from rules.dnd5e.sight import visible_from
from rules.dnd5e.state import can_act, is_dead, is_hostile
from rules.dnd5e.vitality import HP
from rules.grid import UNREACHABLE, Grid, Ways, distance, grid_of
from rules.table import Table


class Outlook(Threats):
    def __init__(self, battle: Battle, actor: Combatant) -> None:
        super().__init__(battle, actor)
        self.grid: Grid = grid_of(battle.encounter.map)
        present = battle.present()
        self.foes = [other for other in present if is_hostile(actor, other) and is_up(other)]
        self.friends = [other for other in present if not is_hostile(actor, other) and not is_dead(other)]
        self._values: dict[tuple[str, str, bool], float] = {}
        self._closer: dict[Position | None, float] = {}

    @cached_property
    def table(self) -> Table:
        """For checks, which read from one. Nothing is ever recorded on it."""
        return reading_table(self.battle)

    # What the foes could do

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
        """What the best attack from a place is worth at best, whether or not it can still be paid for.

        Where the actor stands that is exact; elsewhere cover, and who stands beside whom, may make it less.
        """
        if place == self.actor.position:
            return self.closer(place)
        return max((self._worth(arm, foe, place) for arm in self.arms for foe in self.foes), default=0.0)

    def closer(self, place: Position | None) -> float:
        """The capability of a place exactly, as if the actor stood there; the most promising attack is tried first."""
        if place not in self._closer:
            self._closer[place] = self._best_from(place)
        return self._closer[place]

    def _best_from(self, place: Position | None) -> float:
        hopes = [(self._worth(arm, foe, place), arm, foe) for arm in self.arms for foe in self.foes]
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
        """The worth of an attack wherever it comes from, less if the place hampers it."""
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

    @cached_property
    def _from_foes(self) -> Ways:
        return self.grid.ways([foe.position for foe in self.foes if foe.position is not None])

    def steps_to_foes(self, place: Position) -> float:
        """How many steps it is to the nearest enemy by the way around walls; 0 where there is no way."""
        cost = self._from_foes.cost(place)
        return cost / 100 if cost < UNREACHABLE else 0.0


def is_up(combatant: Combatant) -> bool:
    """Whether it is still in the fight: neither dead nor down."""
    return not is_dead(combatant) and combatant.vitals[HP].current > 0
