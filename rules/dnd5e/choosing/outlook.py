"""What a combatant sees when it looks around: friends and foes, who threatens whom, and what it could do from where.

Made for one decision and thrown away after it; what is asked often is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cached_property

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dice import TableDice
from rules.dnd5e.abilities.attack import attack_count_chain
from rules.dnd5e.attack import Attack, make_attack
from rules.dnd5e.choosing.estimate import attack_odds
from rules.dnd5e.choosing.hypothetical import without_places
from rules.dnd5e.choosing.odds import Odds, at_least, mean, mean_up_to, times
from rules.dnd5e.economy import ACTION, ATTACKS
from rules.dnd5e.modifiers import value_of
from rules.dnd5e.movement import speed_of, ways_of
from rules.dnd5e.sheet import Weapon, sheet_of
from rules.dnd5e.sight import visible_from
from rules.dnd5e.spells.fire_bolt import FireBolt
from rules.dnd5e.state import can_act, is_dead, is_hostile
from rules.dnd5e.vitality import HP, TEMP_HP
from rules.grid import UNREACHABLE, Grid, Ways, distance, grid_of
from rules.table import Circumstances, Table

KILL = 6.0
"""What it is worth to take somebody out of the fight, in hit points, beyond those that it had left."""

HAMPERED = 0.7
"""What disadvantage leaves of an attack, roughly: for looking ahead only."""


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
            self._threats[key] = threat_in(self.bodiless, one, other)
        return self._threats[key]

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
        return {foe.id: (_melee_reach(foe) + speed_of(foe), _shot(foe)) for foe in self.foes}

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
    def arms(self) -> list[Weapon | FireBolt]:
        """What the actor attacks with: its weapons and its cantrip."""
        return list(_arms_of(self.actor))

    def _worth(self, arm: Weapon | FireBolt, foe: Combatant, place: Position | None) -> float:
        if place is None or foe.position is None:
            return self._value(arm, foe, hampered=False)
        feet = 5 * distance(place, foe.position)
        if feet > _farthest(arm) or (feet > 5 and not visible_from(self.grid, place)[foe.position[1]][foe.position[0]]):
            return 0.0
        return self._value(arm, foe, hampered=feet > _normal(arm) or (_is_shot(arm, feet) and self._is_crowded(place)))

    def _is_crowded(self, place: Position) -> bool:
        return any(foe.position and distance(foe.position, place) <= 1 and can_act(foe) for foe in self.foes)

    def _value(self, arm: Weapon | FireBolt, foe: Combatant, *, hampered: bool) -> float:
        """The worth of an attack wherever it comes from, less if the place hampers it. Exact once one stands there."""
        key = (arm.name, foe.id, hampered)
        if key not in self._values:
            battle = self.bodiless
            attack = attack_with(battle, arm, battle.combatants[self.actor.id], battle.combatants[foe.id])
            count = self.attacks_bought if isinstance(arm, Weapon) and self.actor.economy.left(ACTION) else 1
            self._values[key] = (HAMPERED if hampered else 1.0) * worth_of(times(attack_odds(attack)[1], count), foe)
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


def attack_with(battle: Battle, arm: Weapon | FireBolt, attacker: Combatant, target: Combatant) -> Attack:
    if isinstance(arm, FireBolt):
        return arm.attack(battle, attacker, target)
    return make_attack(reading_table(battle), attacker, target, arm)


def threat_in(battle: Battle, one: str, other: str) -> float:
    """What one would take from the other in a turn, with its best weapon or cantrip."""
    attacker, target = battle.combatants[one], battle.combatants[other]
    if not can_act(attacker):
        return 0.0
    attacks = value_of(attack_count_chain(attacker))
    return max((_average(battle, arm, attacker, target, attacks) for arm in _arms_of(attacker)), default=0.0)


def _arms_of(combatant: Combatant) -> Iterator[Weapon | FireBolt]:
    sheet = sheet_of(combatant)
    yield from sheet.weapons
    if FireBolt.name in sheet.spells:
        yield FireBolt()


def _average(battle: Battle, arm: Weapon | FireBolt, attacker: Combatant, target: Combatant, attacks: int) -> float:
    odds = attack_odds(attack_with(battle, arm, attacker, target))[1]
    return mean(odds) * (attacks if isinstance(arm, Weapon) else 1)


def worth_of(odds: Odds, target: Combatant) -> float:
    """What a loss of hit points by the target is worth: those it has, and more if it goes down."""
    return mean_up_to(odds, hit_points(target)) + KILL * at_least(odds, hit_points(target))


def hit_points(combatant: Combatant) -> int:
    return combatant.vitals[HP].current + combatant.vitals[TEMP_HP].current


def is_up(combatant: Combatant) -> bool:
    """Whether it is still in the fight: neither dead nor down."""
    return not is_dead(combatant) and combatant.vitals[HP].current > 0


def reading_table(battle: Battle) -> Table:
    return Table(battle, _CIRCUMSTANCES)


def _melee_reach(combatant: Combatant) -> int:
    return max((weapon.reach for weapon in sheet_of(combatant).weapons if not weapon.is_ranged), default=0)


def _shot(combatant: Combatant) -> int:
    return max((_normal(arm) for arm in _arms_of(combatant)), default=0)


def _farthest(arm: Weapon | FireBolt) -> int:
    return arm.range if isinstance(arm, FireBolt) else arm.farthest


def _normal(arm: Weapon | FireBolt) -> int:
    if isinstance(arm, FireBolt):
        return arm.range
    return max(arm.reach if not arm.is_ranged else 0, arm.range[0] if arm.range else 0)


def _is_shot(arm: Weapon | FireBolt, feet: int) -> bool:
    return isinstance(arm, FireBolt) or arm.is_ranged or feet > arm.reach


_CIRCUMSTANCES = Circumstances(dice=TableDice(()), now=datetime.min.replace(tzinfo=UTC))
