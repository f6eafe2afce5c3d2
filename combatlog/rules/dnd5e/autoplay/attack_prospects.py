"""The worth of the actor's attacks, from its own square and from others."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from combatlog.rules.dnd5e.actions.attack_and_multiattack import attack_count_chain, is_in_multiattack
from combatlog.rules.dnd5e.attack.wielding import is_loaded
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import (
    AttackMeans,
    attack_means_of,
    attack_with,
    attacks_of_turn,
    can_reach,
    farthest,
    longest_blow,
    normal_range,
    sees_from,
)
from combatlog.rules.dnd5e.autoplay.estimate_cache import EstimateCache
from combatlog.rules.dnd5e.autoplay.hypothetical_battles import standing_at
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import AttackChances, Odds, attack_odds, sum_of, times
from combatlog.rules.dnd5e.autoplay.threats import Threats, worth_of
from combatlog.rules.dnd5e.battlemap.movement import STEP
from combatlog.rules.dnd5e.battlemap.paths import is_tight, usual_gait
from combatlog.rules.dnd5e.battlemap.space import full_width, steps_above, width_of
from combatlog.rules.dnd5e.combatant_state import can_act, is_dead, is_hostile
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ACTION, ATTACKS
from combatlog.rules.dnd5e.hit_points import HP
from combatlog.rules.dnd5e.modifiers import value_of
from combatlog.rules.engine.grid.squares import Grid, around, grid_of, steps_apart
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


class _Shot(NamedTuple):
    """An attack with an arm on a foe: its worth if nothing hampers it, and its ranges in steps."""

    worth: float
    arm: AttackMeans
    foe: Combatant
    at: Position | None
    wide: int
    above: int
    """The vertical distance of the foe, in steps."""
    farthest: int
    normal: int
    longest_blow: int
    seen: Any
    """The squares that the foe sees and from which it is seen; sight is symmetric."""


class Prospects(Threats):
    def __init__(self, battle: Battle, actor: Combatant, memory: EstimateCache | None = None) -> None:
        super().__init__(battle, actor, memory)
        self.grid: Grid = grid_of(battle.map)
        self.wide = width_of(actor)
        self._squares = full_width(actor)
        self.foes = [other for other in battle.present() if is_hostile(actor, other) and is_up(other)]
        self._values: dict[tuple[str, str, bool], float] = {}
        self._among_others: dict[tuple[str, str, bool], float] = {}
        self._volleys: dict[tuple[str, bool], tuple[tuple[AttackMeans, int], ...]] = {}
        self._crowded: dict[int, set[Position]] = {}
        """The places next to watchful enemies, by the actor's width there."""
        self._tight: dict[Position, bool] = {}
        self._capabilities: dict[Position | None, float] = {}
        self._closer: dict[Position | None, float] = {}

    @cached_property
    def attacks_left(self) -> int:
        """The attacks that the actor can still make this turn: all those of an action, or one already bought."""
        if self._has_action:
            return self.attacks_bought
        return min(1, self.actor.economy.left(ATTACKS))

    @cached_property
    def _has_action(self) -> bool:
        return self.actor.economy.left(ACTION) > 0

    @cached_property
    def attacks_bought(self) -> int:
        return value_of(attack_count_chain(self.actor))

    def prospect(self, place: Position | None) -> float:
        """The worth of the best attack from a place, if the actor has one left."""
        return self.capability(place) if self.attacks_left else 0.0

    def capability(self, place: Position | None) -> float:
        """The worth of the best attack from a place, whether or not the actor can still pay for it.
        Exact where the actor stands; elsewhere it is an upper bound that ignores cover and adjacency.
        """
        if place not in self._capabilities:
            here = place == self.actor.position
            self._capabilities[place] = self.closer(place) if here else self._hoped_from(place)
        return self._capabilities[place]

    def _hoped_from(self, place: Position | None) -> float:
        """An upper bound. Only plainly visible targets count, because checking every corner is too slow."""
        best = 0.0
        for shot in self._shots:
            if shot.worth <= best:
                break
            hope = self._hope(shot, place)
            if hope > best and self._is_plain(shot, place):
                best = hope
        return best

    def _hope(self, shot: _Shot, place: Position | None) -> float:
        """The worth of an attack if nothing is in the way."""
        if place is None or shot.at is None:
            return shot.worth
        steps = self._steps(place, shot)
        if steps > shot.farthest:
            return 0.0
        if self._is_hampered(shot, place, steps):
            return self._value(shot.arm, shot.foe, hampered=True)
        return shot.worth

    def _is_hampered(self, shot: _Shot, place: Position, steps: int) -> bool:
        """Whether a shot goes beyond normal range, an enemy is too close for it, or the place is tight."""
        if steps > shot.normal or (steps > shot.longest_blow and self._is_crowded(place)):
            return True
        return self._squares > 1 and self._is_tight(place)

    @cached_property
    def _shots(self) -> list[_Shot]:
        """Every combination of arm and foe, the most promising first."""
        shots = [self._shot(arm, foe) for arm in self.arms for foe in self.foes]
        return sorted(shots, key=lambda shot: -shot.worth)

    def _shot(self, arm: AttackMeans, foe: Combatant) -> _Shot:
        ranges = (farthest(arm) // STEP, normal_range(arm) // STEP, longest_blow(arm) // STEP)
        wide = width_of(foe)
        seen = sees_from(self.grid, foe.position, wide, self.wide) if foe.position is not None else None
        above = steps_above(self.actor, foe)
        return _Shot(self._value(arm, foe, hampered=False), arm, foe, foe.position, wide, above, *ranges, seen)

    def _steps(self, place: Position, shot: _Shot) -> int:
        """How far away the foe of a shot would be."""
        there = shot.at
        assert there is not None
        if self._squares == shot.wide == 1:
            across, down = abs(place[0] - there[0]), abs(place[1] - there[1])
            along = across if across > down else down
        else:
            along = steps_apart(place, self._width_at(place), there, shot.wide)
        return along if along > shot.above else shot.above

    def _is_plain(self, shot: _Shot, place: Position | None) -> bool:
        if place is None or shot.at is None or self._steps(place, shot) <= 1:
            return True
        return bool(shot.seen[place[1], place[0]])

    def at_most(self, place: Position) -> float:
        """An upper bound of the exact capability of a place, tighter than `_hope` and cheaper than `closer`."""
        best = 0.0
        for shot in self._shots:
            if shot.worth <= best:
                break
            if self._hope(shot, place) > best:
                best = max(best, self._value_among_others(shot, place))
        return best

    def _value_among_others(self, shot: _Shot, place: Position) -> float:
        """The worth of an attack given everyone else's positions, since it may need an ally next to the target."""
        hampered = shot.at is not None and self._is_hampered(shot, place, self._steps(place, shot))
        key = (shot.arm.name, shot.foe.id, hampered)
        if key not in self._among_others:
            volley = self._volley_odds(shot.arm, lambda used: self._odds_among_others(shot, used, hampered))
            self._among_others[key] = worth_of(volley, shot.foe)
        return self._among_others[key]

    def _odds_among_others(self, shot: _Shot, arm: AttackMeans, hampered: bool) -> Odds:
        """The odds of one attack of a volley. Only the arm of the shot is hampered; the others count in full."""
        battle = standing_at(self.battle, self.actor, None)
        worse = hampered and arm.name == shot.arm.name
        key = ("among others", self.actor.id, arm.name, shot.foe.id, worse, self.others, self.state)
        return self.memory.recall(key, lambda: self.odds_in(battle, self.actor.id, arm, shot.foe.id, worse))

    def closer(self, place: Position | None) -> float:
        """The exact capability of a place, as if the actor stood there."""
        if place not in self._closer:
            self._closer[place] = self._best_from(place)
        return self._closer[place]

    def _best_from(self, place: Position | None) -> float:
        hopes = [(self._hope(shot, place), shot) for shot in self._shots]
        best = 0.0
        for hope, shot in sorted(hopes, key=lambda found: -found[0]):
            if hope <= best:
                break
            best = max(best, self._worth_from(place, shot.arm, shot.foe))
        return best

    def _worth_from(self, place: Position | None, arm: AttackMeans, foe: Combatant) -> float:
        """The worth of an attack from a place with the others of its action; 0 if it would not be legal."""
        key = ("from", self.actor.id, place, arm.name, isinstance(arm, Weapon), foe.id, self._has_action)
        odds = self.memory.recall((*key, self.others, self.state), lambda: self._odds_from(place, arm, foe))
        return worth_of(odds, foe) if odds is not None else 0.0

    def _odds_from(self, place: Position | None, arm: AttackMeans, foe: Combatant) -> Odds | None:
        """The odds of an attack from a place; None if it would not be legal from there."""
        battle = self.battle if place in (None, self.actor.position) else standing_at(self.battle, self.actor, place)
        actor = battle.combatants[self.actor.id]
        if not can_reach(battle, arm, actor, foe):
            return None
        return self._volley_odds(arm, lambda used: self.odds_of(attack_with(battle, used, actor, foe))[1])

    def odds_of(self, attack: Attack) -> tuple[AttackChances, Odds]:
        """The odds of an attack that the actor could make, here or as if it stood elsewhere."""
        means = (attack.weapon.name, attack.weapon.damage, attack.spell, attack.part_of, attack.off_hand)
        key = ("attack", self.actor.id, attack.attacker.position, means, attack.target.id, self.others, self.state)
        return self.memory.recall(key, lambda: attack_odds(attack))

    @cached_property
    def others(self) -> int:
        """A number that identifies the positions of all other combatants."""
        others = [other for other in self.battle.present() if other is not self.actor]
        return self.memory.number_of(tuple((other.id, other.position) for other in others))

    @cached_property
    def arms(self) -> list[AttackMeans]:
        """The actor's weapons and cantrips, or the weapons left of its multiattack."""
        arms = list(attack_means_of(self.actor))
        if self._has_action or not self.actor.economy.left(ATTACKS):
            return arms
        return [arm for arm in arms if isinstance(arm, Weapon) and self._is_left(arm)]

    def _is_left(self, weapon: Weapon) -> bool:
        return is_in_multiattack(self.actor, weapon.name) and is_loaded(self.battle, self.actor, weapon)

    def _is_crowded(self, place: Position) -> bool:
        wide = self._width_at(place)
        if wide not in self._crowded:
            self._crowded[wide] = {near for at, size in self._watchful for near in around(at, size, 1, wide)}
        return place in self._crowded[wide]

    def _width_at(self, place: Position) -> int:
        """The actor's width at a place, which depends on whether it has to squeeze there."""
        return self.wide if self._squares == 1 else self._squares - self._is_tight(place)

    def _is_tight(self, place: Position) -> bool:
        if self._squares == 1:
            return False
        if place not in self._tight:
            self._tight[place] = is_tight(self.battle, self.actor, place, usual_gait(self.battle, self.actor))
        return self._tight[place]

    @cached_property
    def _watchful(self) -> list[tuple[Position, int]]:
        """The positions and widths of enemies that would hamper an archer."""
        return [(foe.position, width_of(foe)) for foe in self.foes if foe.position is not None and can_act(foe)]

    def _value(self, arm: AttackMeans, foe: Combatant, *, hampered: bool) -> float:
        """The worth of an attack regardless of position; lower if the place hampers it."""
        key = (arm.name, foe.id, hampered)
        if key not in self._values:
            self._values[key] = worth_of(self._volley_odds(arm, self._anywhere(arm, foe, hampered)), foe)
        return self._values[key]

    def _anywhere(self, first: AttackMeans, foe: Combatant, hampered: bool) -> Callable[[AttackMeans], Odds]:
        """The odds by arm. A bad place is assumed to hamper only the first arm."""
        return lambda arm: self.odds(self.actor.id, arm, foe.id, hampered=hampered and arm.name == first.name)

    def _volley_odds(self, arm: AttackMeans, odds: Callable[[AttackMeans], Odds]) -> Odds:
        """The odds of the target's loss from an attack and all others of its action."""
        return sum_of([times(odds(used), count) for used, count in self._volley(arm)])

    def _volley(self, arm: AttackMeans) -> tuple[tuple[AttackMeans, int], ...]:
        """The attacks of an action that begins with this one; without an action, only this one."""
        if not self._has_action:
            return ((arm, 1),)
        key = (arm.name, isinstance(arm, Weapon))
        if key not in self._volleys:
            self._volleys[key] = tuple(attacks_of_turn(self.actor, arm))
        return self._volleys[key]


def is_up(combatant: Combatant) -> bool:
    """Whether it is still fighting: not dead and above 0 hit points."""
    return not is_dead(combatant) and combatant.vitals[HP].current > 0
