"""A combatant's view of the battle: friends and foes, dangers, and its possibilities from each square."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from combatlog.rules.dnd5e.autoplay.attack_prospects import Prospects, is_up
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import (
    endangered_squares,
    known_ways,
    shot_range,
    touching,
    ways_from,
)
from combatlog.rules.dnd5e.autoplay.estimate_cache import EstimateCache
from combatlog.rules.dnd5e.autoplay.hypothetical_battles import as_if_forced, as_if_opened, locked_doors, with_condition
from combatlog.rules.dnd5e.autoplay.threats import hit_points
from combatlog.rules.dnd5e.battlemap.paths import melee_reach, provocations, usual_gait
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import has_line
from combatlog.rules.dnd5e.battlemap.space import full_width, squares_of, steps_towards, width_of
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import STEP, movement_left, places_for, speed_of
from combatlog.rules.dnd5e.battlemap.zones import average, has_zones, zones_of
from combatlog.rules.dnd5e.combatant_state import can_act, is_dead, is_hostile
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION, REACTION
from combatlog.rules.dnd5e.hit_points import PRONE
from combatlog.rules.dnd5e.turns_and_rests import check_turn
from combatlog.rules.engine.grid.pathfinding import QuietPaths
from combatlog.rules.engine.grid.squares import UNREACHABLE, Grid, PathSearch, around, places_over
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.dry_run import reading_table
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

__all__ = ["Outlook", "is_up"]

CRAWL = 2 * STEP
"""The cost of a step while prone."""


class Outlook(Prospects):
    def __init__(self, battle: Battle, actor: Combatant, memory: EstimateCache | None = None) -> None:
        """A hypothetical battle passes in the cache of the real one."""
        super().__init__(battle, actor, memory)
        self.friends = [other for other in battle.present() if not is_hostile(actor, other) and not is_dead(other)]
        self._endangered: dict[str, Any] = {}
        self._near: dict[str, tuple[Callable[[Position], int], int]] = {}
        self._walkable: dict[int, list[Position]] = {}
        self.strikers: dict[Position, frozenset[str]] = {}
        """The enemies that could attack the actor on the usual path to each place; filled on demand."""
        self.quiet_strikers: dict[Position, frozenset[str]] = {}
        """The same for the path that it would actually take."""

    @cached_property
    def table(self) -> Table:
        """A read-only table for checks."""
        return reading_table(self.battle)

    @cached_property
    def has_turn(self) -> bool:
        """Whether the actor can declare anything at all."""
        try:
            check_turn(self.battle, self.actor)
        except Refusal:
            return False
        return True

    @property
    def boldness(self) -> float:
        """A factor that grows with each round, because caution alone never ends a fight."""
        return 1 + self.battle.clock.round / 4

    @cached_property
    def can_win(self) -> bool:
        """Whether anyone on the actor's side could hurt an enemy. If not, holding out only prolongs the fight."""
        able = [friend for friend in self.friends if is_up(friend)]
        return any(self.threat(friend.id, foe.id) for friend in able for foe in self.foes)

    # What the foes could do

    def danger(self, place: Position | None) -> float:
        """The hit points that the actor could lose in a round to the enemies that can reach this place."""
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
            everywhere += self.threat(foe.id, self.actor.id) * touching(self._endangered_by(foe), self.wide)
        return self._with_zones(everywhere).tolist()

    def _with_zones(self, danger: Any) -> Any:
        """The danger, plus that of the zones that the actor knows about."""
        if not has_zones(self.battle):
            return danger
        import numpy as np

        for zone in zones_of(self.battle):
            if not zone.hidden and (hurts := average(zone.effect)):
                squares = np.zeros(danger.shape, dtype=bool)
                for x, y in zone.squares:
                    squares[y, x] = True
                danger += hurts * touching(squares, self.wide)
        return danger

    def gets_at(self, somebody: Combatant, place: Position | None) -> bool:
        """Whether a combatant, friend or foe, could attack a place on its next turn."""
        return place is None or somebody.position is None or bool(self._endangered_by(somebody)[place[1], place[0]])

    def _endangered_by(self, somebody: Combatant) -> Any:
        if somebody.id not in self._endangered:
            self._endangered[somebody.id] = endangered_squares(self.battle, somebody, self.actor)
        return self._endangered[somebody.id]

    @cached_property
    def guarded(self) -> set[Position]:
        """The squares within reach of a foe that could make an opportunity attack."""
        watching = [foe for foe in self.foes if can_act(foe) and foe.economy.left(REACTION)]
        return {
            place
            for foe in watching
            if foe.position is not None
            for place in around(foe.position, width_of(foe), melee_reach(foe) // STEP, self.wide)
        }

    def keeping_near(self, foe: Combatant) -> tuple[Callable[[Position], int], int]:
        """A function from a place to a foe's distance, and the foe's reach, in steps."""
        if foe.id not in self._near:
            self._near[foe.id] = steps_towards(self.actor, foe), melee_reach(foe) // STEP
        return self._near[foe.id]

    @cached_property
    def is_watched(self) -> bool:
        """Whether the actor could cross guarded squares with its remaining movement."""
        return not self.guarded.isdisjoint(
            [*self._walkable_within(self.movement_left), *filter(None, [self.actor.position])]
        )

    def must_come(self, foe: Combatant) -> bool:
        """Whether a foe cannot hurt any of the actor's side from where it is, and so has a reason to approach."""
        if not can_act(foe):
            return False
        far = max(melee_reach(foe), shot_range(foe))
        near = [ally for ally in self.friends if is_up(ally) and feet_between(ally, foe) <= far]
        return not any(has_line(self.battle, foe, ally) for ally in near)

    # What the actor could do

    def gain_here(self, condition: str) -> float:
        """The gain in worth of the best attack from here with a condition."""
        actor = self.actor
        alive = tuple(hit_points(foe) for foe in self.foes)
        key = ("gain", condition, actor.id, actor.position, bool(actor.economy.left(ACTION)), alive)
        return self.memory.recall((*key, self.is_own_turn, self.others, self.state), lambda: self._gain_here(condition))

    def _gain_here(self, condition: str) -> float:
        other = with_condition(self.battle, self.actor.id, condition, self.actor.id)
        under_it = Outlook(other, other.combatants[self.actor.id], self.memory)
        return under_it.closer(self.actor.position) - self.closer(self.actor.position)

    @cached_property
    def ways(self) -> PathSearch | None:
        """The paths that the actor can take."""
        if self.actor.position is None:
            return None
        return known_ways(self.battle, self.actor, self.actor.position)

    @cached_property
    def quiet_paths(self) -> QuietPaths | None:
        """The paths that provoke as few enemies as possible; None if there is no enemy to provoke."""
        provoked = provocations(self.battle, self.actor)
        if provoked is None or self.ways is None or self.actor.position is None:
            return None
        return QuietPaths(self.ways, self.actor.position, provoked)

    @cached_property
    def movement_left(self) -> int:
        return movement_left(self.actor, usual_gait(self.battle, self.actor)) if speed_of(self.actor) else 0

    @cached_property
    def reachable(self) -> list[Position]:
        """The free squares within the remaining movement, row by row."""
        return self.squares_within(self.movement_left)

    def squares_within(self, feet: int) -> list[Position]:
        """The free squares within this much movement, row by row."""
        return [place for place in self._walkable_within(feet) if place not in self._taken]

    @cached_property
    def _taken(self) -> set[Position]:
        """The places where the actor cannot stop, because another combatant is there."""
        others = [other for other in self.battle.present() if other is not self.actor]
        squares = [square for other in others for square in squares_of(other)]
        return set(places_over(self.grid, squares, max(1, full_width(self.actor) - 1)))

    def _walkable_within(self, feet: int) -> list[Position]:
        """The squares within this much movement, including occupied ones."""
        if feet not in self._walkable:
            self._walkable[feet] = self._walk(feet)
        return self._walkable[feet]

    def _walk(self, feet: int) -> list[Position]:
        if self.ways is None or self.actor.position is None or feet <= 0:
            return []
        steps = feet // (CRAWL if self.actor.has(PRONE) else STEP)
        return _nearby(self.ways, self.actor.position, steps)

    @cached_property
    def can_attack(self) -> bool:
        """Whether the actor can attack an enemy this turn, from here or from a square to which it can walk."""
        return any(self.prospect(place) > 0 for place in (self.actor.position, *self.reachable))

    @cached_property
    def is_locked_out(self) -> bool:
        """Whether all paths to the enemy lead through locked doors."""
        here, grid = self.actor.position, self._grounds
        if here is None or not grid.has_doors or not locked_doors(self.battle, grid):
            return False
        return self._ways_on(as_if_opened(self.battle, grid)).cost(here) >= UNREACHABLE

    @cached_property
    def _grounds(self) -> Grid:
        return places_for(self.battle, self.actor, usual_gait(self.battle, self.actor))

    @cached_property
    def _from_foes(self) -> PathSearch:
        grid = self._grounds
        return self._ways_on(as_if_forced(grid) if self.is_locked_out else as_if_opened(self.battle, grid))

    def _ways_on(self, grid: Grid) -> PathSearch:
        return ways_from(grid, tuple(foe.position for foe in self.foes if foe.position is not None))

    def steps_to_foes(self, place: Position) -> float:
        """The number of steps around walls and through doors to the nearest enemy; 0 if there is no path."""
        cost = self._from_foes.cost(place)
        return cost / 100 if cost < UNREACHABLE else 0.0


def _nearby(ways: PathSearch, here: Position, steps: int) -> list[Position]:
    costs = ways.costs
    rows = range(max(0, here[1] - steps), min(len(costs) - 1, here[1] + steps + 1))
    columns = range(max(0, here[0] - steps), min(len(costs[0]), here[0] + steps + 1))
    return [(x, y) for y in rows for x in columns if 0 < costs[y][x] // 100 <= steps]
