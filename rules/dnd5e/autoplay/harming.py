"""Options that deal damage: weapon attacks, spell attacks, darts and areas."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ledger.events import Position
from projections.combatant import Combatant
from rules.autoplay.option import Aim
from rules.dnd5e.actions.strike import MeleeAttack, WeaponAction
from rules.dnd5e.archetypes import areas, bolts, hits
from rules.dnd5e.areas import SQUARE, Shape, covered
from rules.dnd5e.attack import Attack
from rules.dnd5e.autoplay.arms import Arm, attack_with, attacks_of_turn
from rules.dnd5e.autoplay.consequences import after_area, after_hit, harm_after_hit
from rules.dnd5e.autoplay.estimate import area_odds, harm_odds, save_chance
from rules.dnd5e.autoplay.odds import NOTHING, Odds, both, either, mean, sum_of, throw, times
from rules.dnd5e.autoplay.options import Dnd5eOption
from rules.dnd5e.autoplay.outcome import Outcome
from rules.dnd5e.contexts import Harm, feet_between
from rules.dnd5e.damage import TAKEN_STAGES, damage_chain, taken_chain, types_of
from rules.dnd5e.granted_strikes import GrantedStrike
from rules.dnd5e.powers import damage_of
from rules.dnd5e.sheet import Weapon
from rules.dnd5e.state import is_hostile
from rules.dnd5e.targeting import weapon_named
from rules.engine.chain import Chain
from rules.engine.grid import distance

PLACES = 24
"""How many places to aim an area at are examined closely: those that would catch the most enemies."""


class WeaponAttack(Dnd5eOption):
    archetype = "strike"

    @property
    def arm(self) -> Weapon:
        if isinstance(self.piece, GrantedStrike):
            granted = self.combatant.granted_actions(self.piece.ref)
            return weapon_named(self.combatant, granted[0].weapon if granted else None)
        return weapon_named(self.combatant, self.weapon)

    @property
    def kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        reach = "ranged" if self.arm.is_ranged else "melee"
        return (f"attack.weapon.{reach}", f"damage.{self.arm.damage_type}")

    @property
    def attacks(self) -> list[tuple[Arm, int]]:
        """The attacks that are made: an action buys all of its attacks at once."""
        if not isinstance(self.piece, WeaponAction):
            return [(self.arm, 1)]
        return attacks_of_turn(self.combatant, self.arm)

    def aims(self) -> Sequence[Aim]:
        far = self.arm.reach if isinstance(self.piece, MeleeAttack) else self.arm.farthest
        return self.aims_at(foe for foe in self.outlook.foes if feet_between(self.combatant, foe) <= far)

    def attack(self, target: Combatant) -> Attack:
        attack = attack_with(self.outlook.battle, self.arm, self.combatant, target)
        attack.off_hand = isinstance(self.piece, GrantedStrike) and self.piece.off_hand
        return attack

    def foresee(self, aim: Aim) -> Outcome:
        (name,) = aim.targets
        target = self.outlook.battle.combatants[name]
        attack = self.attack(target)
        chances, _ = self.outlook.odds_of(attack)
        harm = sum_of(times(self._harm_by(attack), count) for attack, count in self._attacks_on(target))
        return Outcome(harm={name: harm}, afflictions=after_hit(attack, chances.hit))

    def _harm_by(self, attack: Attack) -> Odds:
        chances, odds = self.outlook.odds_of(attack)
        return both(odds, harm_after_hit(attack, chances.hit))

    def _attacks_on(self, target: Combatant) -> list[tuple[Attack, int]]:
        battle, actor = self.outlook.battle, self.combatant
        return [
            (self.attack(target) if arm == self.arm else attack_with(battle, arm, actor, target), count)
            for arm, count in self.attacks
        ]

    def average_damage(self) -> float:
        """From the chain of an attack against a stand-in: the first enemy, or the actor itself."""
        target = self.outlook.foes[0] if self.outlook.foes else self.combatant
        chains = [(damage_chain(attack, critical=False), count) for attack, count in self._attacks_on(target)]
        return sum(count * mean(harm_odds(chain, Chain("damage_taken", TAKEN_STAGES))) for chain, count in chains)


class SpecialStrike(WeaponAttack):
    piece: hits.SpecialStrike

    @property
    def arm(self) -> Weapon:
        return self.piece.arm(self.combatant, self.weapon)

    def attack(self, target: Combatant) -> Attack:
        return self.piece.attack(self.outlook.battle, self.combatant, target, self.weapon)


class SpellAttack(Dnd5eOption):
    archetype = "spell attack"
    piece: bolts.Bolt

    @property
    def kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("attack.spell", f"damage.{self.piece.damage_type}")

    def aims(self) -> Sequence[Aim]:
        return self.aims_at(self.outlook.foes)

    def foresee(self, aim: Aim) -> Outcome:
        (name,) = aim.targets
        attack = self._attack(self.outlook.battle.combatants[name])
        chances, odds = self.outlook.odds_of(attack)
        harm = both(odds, harm_after_hit(attack, chances.hit, self.piece.then))
        return Outcome(harm={name: harm}, afflictions=after_hit(attack, chances.hit, self.piece.then))

    def _attack(self, target: Combatant) -> Attack:
        return self.piece.attack(self.outlook.battle, self.combatant, target, self.how)

    def average_damage(self) -> float:
        return mean(throw(self._attack(self.combatant).weapon.damage))


class Darts(Dnd5eOption):
    archetype = "darts"
    piece: bolts.Darts

    @property
    def kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        return (f"damage.{self.piece.damage_type}",)

    def aims(self) -> Sequence[Aim]:
        return self.aims_at(self.outlook.foes)

    @property
    def notation(self) -> str:
        return self.piece.notation(self.piece.number(self.how, self.piece.darts))

    def foresee(self, aim: Aim) -> Outcome:
        (name,) = aim.targets
        target = self.outlook.battle.combatants[name]
        harm = Harm(self.outlook.battle, target, self.combatant, self.piece.ref, (self.piece.damage_type,))
        chain = damage_of(self.piece, self.combatant, self.notation, self.piece.damage_type)
        return Outcome(harm={name: harm_odds(chain, taken_chain(harm))})

    def average_damage(self) -> float:
        return mean(throw(self.notation))


class Area(Dnd5eOption):
    archetype = "area"
    kinds = ("area",)
    piece: areas.Area

    def aims(self) -> Sequence[Aim]:
        return [Aim(place=place, options=self.how) for place in self._places()]

    def _places(self) -> list[Position]:
        """Where it could catch enemies, best first by a rough count; ties go to the square closest to the top left."""
        here = self.combatant.position
        foes = [foe.position for foe in self.outlook.foes if foe.position is not None]
        if here is None or not foes:
            return []
        if self.piece.around:
            return [here]
        reach = self.piece.size // SQUARE if self.piece.shape is Shape.SPHERE else 1
        grid, far = self.outlook.grid, self.piece.range // SQUARE
        near = {place for foe in foes for place in _around(foe, reach)}
        possible = [p for p in near if grid.is_open(p) and p != here and distance(here, p) <= far]
        return sorted(possible, key=lambda place: (-self._rough(place), place[1], place[0]))[:PLACES]

    def _rough(self, place: Position) -> int:
        reach = self.piece.size // SQUARE if self.piece.shape is Shape.SPHERE else 1
        foes = sum(foe.position is not None and _within(foe.position, place, reach) for foe in self.outlook.foes)
        friends = [ally for ally in self.outlook.friends if ally.position is not None]
        return 2 * foes - 3 * sum(_within(ally.position, place, reach) for ally in friends if ally.position)

    def affected_positions(self, aim: Aim) -> list[Position]:
        here = self.combatant.position
        if here is None or aim.place is None:
            return []
        return covered(self.outlook.grid, self.piece.extent, here, aim.place)

    @property
    def notation(self) -> str | None:
        return self.piece.notation(self.combatant, self.how)

    def foresee(self, aim: Aim) -> Outcome:
        squares = set(self.affected_positions(aim))
        caught = [other for other in (*self.outlook.foes, *self.outlook.friends) if other.position in squares]
        if self.piece.around:
            caught = [other for other in caught if other is not self.combatant]
        then, enemies = self.piece.then, [other for other in caught if is_hostile(self.combatant, other)]
        afflictions = [after_area(then, enemy, self._saved(enemy)) for enemy in enemies] if then is not None else []
        return Outcome(harm={other.id: self._harm(other) for other in caught}, afflictions=afflictions)

    def _saved(self, target: Combatant) -> float:
        """The chance that the target's save succeeds."""
        area, caster = self.piece, self.combatant
        return save_chance(self.outlook.battle, target, area.save, area.difficulty(caster), area.ref)

    def _harm(self, target: Combatant) -> Odds:
        """What the target would lose, wherever in the area it is."""
        if target.id not in self._harms:
            self._harms[target.id] = self._foresee_harm(target)
        return self._harms[target.id]

    @cached_property
    def _harms(self) -> dict[str, Odds]:
        return {}

    def _foresee_harm(self, target: Combatant) -> Odds:
        if self.notation is None or self.piece.damage_type is None:
            return NOTHING
        chain = damage_of(self.piece, self.combatant, self.notation, self.piece.damage_type)
        harm = Harm(self.outlook.battle, target, self.combatant, self.piece.ref, types_of(chain))
        if self.piece.saved == "nothing":
            return either(self._saved(target), NOTHING, harm_odds(chain, taken_chain(harm)))
        return area_odds(harm, chain, self._saved(target))

    def average_damage(self) -> float:
        return mean(throw(self.notation)) if self.notation is not None else 0.0


def _around(place: Position, reach: int) -> list[Position]:
    span = range(-reach, reach + 1)
    return [(place[0] + x, place[1] + y) for y in span for x in span if x * x + y * y <= reach * reach or reach == 1]


def _within(one: Position, other: Position, reach: int) -> bool:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 <= reach * reach
