"""Options that deal damage: weapon attacks, spell attacks, darts, areas and blasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.dnd5e.actions.attack_and_multiattack import MeleeAttack, Strike, WeaponAction
from combatlog.rules.dnd5e.actions.opportunity_attack_and_bonus_strikes import GrantedStrike
from combatlog.rules.dnd5e.archetypes import (
    areas_and_blasts,
    bolts_and_beams,
    on_hit_and_gm_rulings,
    zone_spells_and_teleport,
)
from combatlog.rules.dnd5e.attack.damage import TAKEN_STAGES, damage_chain, taken_chain, types_of
from combatlog.rules.dnd5e.attack.phases import Attack
from combatlog.rules.dnd5e.attack.targeting import damage_of, weapon_named
from combatlog.rules.dnd5e.attack.wielding import has_hands_for
from combatlog.rules.dnd5e.autoplay.attacks_and_reach import AttackMeans, attack_with, attacks_of_turn
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import (
    NOTHING,
    ForeseenOutcome,
    Odds,
    area_odds,
    both,
    either,
    harm_odds,
    mean,
    save_chance,
    sum_of,
    throw,
    times,
)
from combatlog.rules.dnd5e.autoplay.option_base import Dnd5eOption, after_area, after_hit, harm_after_hit
from combatlog.rules.dnd5e.battlemap.areas import SQUARE, Shape, covered, is_within
from combatlog.rules.dnd5e.battlemap.space import nearest_square, squares_of, steps_to
from combatlog.rules.dnd5e.combatant_state import is_hostile
from combatlog.rules.dnd5e.contexts import Harm, feet_between
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.features.barbarian import FRENZIED
from combatlog.rules.engine.resolution.chain import ModifierChain
from ledger.events import Position
from projections.battle.combatant import Combatant

EXHAUSTING = 4.0
"""The cost of a level of exhaustion after a rage, in hit points."""
PLACES = 24
"""The number of places for an area that are examined closely: those that would catch the most enemies."""


class WeaponAttackOption(Dnd5eOption):
    archetype = "strike"

    @property
    def arm(self) -> Weapon:
        if isinstance(self.piece, GrantedStrike):
            granted = self.combatant.granted_actions(self.piece.ref)
            return weapon_named(self.combatant, granted[0].weapon if granted else None)
        return self._gripped or weapon_named(self.combatant, self.weapon)

    @cached_property
    def _gripped(self) -> Weapon | None:
        """A versatile weapon used with both hands, if they are free and it deals more damage that way."""
        if not isinstance(self.piece, Strike | MeleeAttack):
            return None
        weapon = weapon_named(self.combatant, self.weapon)
        both = weapon.in_two_hands if sheet_of(self.combatant).off_hand is None else None
        if both is None or not has_hands_for(self.outlook.battle, self.combatant, both):
            return None
        outlook, actor = self.outlook, self.combatant
        key = ("grip", actor.id, actor.position, weapon.name, self._stand_in.id, outlook.others, outlook.state)
        return both if outlook.memory.recall(key, lambda: self._hurts_more(both, weapon)) else None

    def _hurts_more(self, one: Weapon, other: Weapon) -> bool:
        ones, others = (_average(self.attack_with(held, self._stand_in)) for held in (one, other))
        return ones > others

    def words(self, aim: OptionAim) -> str:
        """`melee attack foe with longsword in both hands`"""
        if not aim.options.get("two_hands"):
            return super().words(aim)
        return f"{super().words(OptionAim(aim.targets, aim.place))} in both hands"

    @property
    def how(self) -> dict[str, Any]:
        return {"two_hands": True} if self._gripped is not None else super().how

    @property
    def kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        reach = "ranged" if self.arm.is_ranged else "melee"
        return (f"attack.weapon.{reach}", f"damage.{self.arm.damage_type}")

    @cached_property
    def attacks(self) -> list[tuple[AttackMeans, int]]:
        """The attacks of this option. An action counts with all of its attacks."""
        if not isinstance(self.piece, WeaponAction):
            return [(self.arm, 1)]
        return attacks_of_turn(self.combatant, self.arm)

    def aims(self) -> Sequence[OptionAim]:
        far = self.arm.reach if isinstance(self.piece, MeleeAttack) else self.arm.farthest
        return self.aims_at(foe for foe in self.outlook.foes if feet_between(self.combatant, foe) <= far)

    def attack(self, target: Combatant) -> Attack:
        return self.attack_with(self.arm, target)

    def attack_with(self, arm: Weapon, target: Combatant) -> Attack:
        attack = attack_with(self.outlook.battle, arm, self.combatant, target)
        attack.off_hand = isinstance(self.piece, GrantedStrike) and self.piece.off_hand
        return attack

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        (name,) = aim.targets
        target = self.outlook.battle.combatants[name]
        attack = self.attack(target)
        chances, _ = self.outlook.odds_of(attack)
        harm = sum_of([times(self._harm_by(attack), count) for attack, count in self._attacks_on(target)])
        return ForeseenOutcome(harm={name: harm}, afflictions=after_hit(attack, chances.hit))

    def _harm_by(self, attack: Attack) -> Odds:
        chances, odds = self.outlook.odds_of(attack)
        later = harm_after_hit(attack, chances.hit)
        return odds if later is NOTHING else both(odds, later)

    def _attacks_on(self, target: Combatant) -> list[tuple[Attack, int]]:
        battle, actor = self.outlook.battle, self.combatant
        return [
            (self.attack(target) if arm == self.arm else attack_with(battle, arm, actor, target), count)
            for arm, count in self.attacks
        ]

    def average_damage(self) -> float:
        return sum(count * _average(attack) for attack, count in self._attacks_on(self._stand_in))

    @property
    def _stand_in(self) -> Combatant:
        """The first enemy, or the actor if there is none."""
        return self.outlook.foes[0] if self.outlook.foes else self.combatant


def _average(attack: Attack) -> float:
    """The average damage from its chain, ignoring the target's resistances."""
    chain = damage_chain(attack, critical=False)
    return mean(harm_odds(chain, ModifierChain("damage_taken", TAKEN_STAGES)))


class SpecialStrikeOption(WeaponAttackOption):
    piece: on_hit_and_gm_rulings.SpecialStrike

    @property
    def arm(self) -> Weapon:
        return self.piece.arm(self.combatant, self.weapon)

    def attack_with(self, arm: Weapon, target: Combatant) -> Attack:
        return self.piece.attack(self.outlook.battle, self.combatant, target, self.weapon)


class FrenzyOption(WeaponAttackOption):
    """An additional melee attack in a rage; the first one costs a level of exhaustion afterwards."""

    def aims(self) -> Sequence[OptionAim]:
        if self.arm.is_ranged:
            return []
        return self.aims_at(foe for foe in self.outlook.foes if feet_between(self.combatant, foe) <= self.arm.reach)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        foreseen = super().foresee(aim)
        return foreseen if self.combatant.has(FRENZIED) else replace(foreseen, spared=-EXHAUSTING)


class SpellAttackOption(Dnd5eOption):
    archetype = "spell attack"
    piece: bolts_and_beams.Bolt

    @property
    def kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("attack.spell", f"damage.{self.piece.damage_type}")

    def aims(self) -> Sequence[OptionAim]:
        return self.aims_at(self.outlook.foes)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        (name,) = aim.targets
        attack = self._attack(self.outlook.battle.combatants[name])
        chances, odds = self.outlook.odds_of(attack)
        harm = times(both(odds, harm_after_hit(attack, chances.hit, self.piece.then)), self.piece.rays(self.combatant))
        return ForeseenOutcome(harm={name: harm}, afflictions=after_hit(attack, chances.hit, self.piece.then))

    def _attack(self, target: Combatant) -> Attack:
        return self.piece.attack(self.outlook.battle, self.combatant, target, self.how)

    def average_damage(self) -> float:
        return self.piece.rays(self.combatant) * mean(throw(self._attack(self.combatant).weapon.damage))


class DamageWithoutAttackOption(Dnd5eOption):
    """Damage to one enemy without an attack roll."""

    piece: bolts_and_beams.Darts | areas_and_blasts.BlastPower

    @property
    def kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        return (f"damage.{self.piece.damage_type}",)

    def aims(self) -> Sequence[OptionAim]:
        return self.aims_at(self.outlook.foes)

    @property
    def notation(self) -> str:
        raise NotImplementedError

    def average_damage(self) -> float:
        return mean(throw(self.notation))


class DartsOption(DamageWithoutAttackOption):
    archetype = "darts"
    piece: bolts_and_beams.Darts

    @property
    def notation(self) -> str:
        return self.piece.notation(self.piece.number(self.how, self.piece.darts))

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        (name,) = aim.targets
        target = self.outlook.battle.combatants[name]
        harm = Harm(self.outlook.battle, target, self.combatant, self.piece.ref, (self.piece.damage_type,))
        chain = damage_of(self.piece, self.combatant, self.notation, self.piece.damage_type)
        return ForeseenOutcome(harm={name: harm_odds(chain, taken_chain(harm))})


class AreaOption(Dnd5eOption):
    archetype = "area"
    kinds = ("area",)
    piece: areas_and_blasts.AreaPower

    def aims(self) -> Sequence[OptionAim]:
        if self.combatant.position is None:
            return self._named()
        return [OptionAim(place=place, options=self.how) for place in self._places()]

    def _named(self) -> list[OptionAim]:
        """Without positions, name the targets: each enemy alone, and as many as such an area usually catches."""
        foes = [foe.id for foe in self.outlook.foes]
        together = foes[: usually_caught(self.piece.shape, self.piece.size)]
        groups = [tuple(together), *((foe,) for foe in foes)] if len(together) > 1 else [(foe,) for foe in foes]
        return [OptionAim(group, options=self.how) for group in groups]

    def _places(self) -> list[Position]:
        """Places where it could catch enemies, best first by a rough count, then from the top left."""
        here = self.combatant.position
        foes = [foe.position for foe in self.outlook.foes if foe.position is not None]
        if here is None or not foes:
            return []
        if self.piece.around:
            return [here]
        reach = self.piece.size // SQUARE if self.piece.shape is Shape.SPHERE else 1
        grid, far = self.outlook.grid, self.piece.range // SQUARE
        own = squares_of(self.combatant)
        near = {place for foe in foes for place in _around(foe, reach)}
        possible = [p for p in near if grid.is_open(p) and p not in own and steps_to(self.combatant, p) <= far]
        return sorted(possible, key=lambda place: (-self._rough(place), place[1], place[0]))[:PLACES]

    def _rough(self, place: Position) -> int:
        reach = self.piece.size // SQUARE if self.piece.shape is Shape.SPHERE else 1
        foes = sum(foe.position is not None and _within(foe.position, place, reach) for foe in self.outlook.foes)
        friends = [ally for ally in self.outlook.friends if ally.position is not None]
        return 2 * foes - 3 * sum(_within(ally.position, place, reach) for ally in friends if ally.position)

    def affected_positions(self, aim: OptionAim) -> list[Position]:
        here = self.combatant.position
        if here is None or aim.place is None:
            return []
        return covered(self.outlook.grid, self.piece.extent, nearest_square(self.combatant, aim.place), aim.place)

    @property
    def notation(self) -> str | None:
        return self.piece.notation(self.combatant, self.how)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        caught = self._caught(aim)
        then, enemies = self.piece.then, [other for other in caught if is_hostile(self.combatant, other)]
        afflictions = (
            [one for enemy in enemies for one in after_area(then, enemy, self._saved(enemy))]
            if then is not None
            else []
        )
        return ForeseenOutcome(harm={other.id: self._harm(other) for other in caught}, afflictions=afflictions)

    def _caught(self, aim: OptionAim) -> list[Combatant]:
        everybody = [*self.outlook.foes, *self.outlook.friends]
        if aim.place is None:
            return [other for other in everybody if other.id in aim.targets]
        squares = set(self.affected_positions(aim))
        spared = self.piece.spared(self.outlook.battle, self.combatant, aim.place)
        return [other for other in everybody if is_within(other, squares) and other not in spared]

    def _saved(self, target: Combatant) -> float:
        """The chance that the target's save succeeds."""
        area, caster = self.piece, self.combatant
        return save_chance(self.outlook.battle, target, area.save, area.difficulty(caster), area.ref)

    def _harm(self, target: Combatant) -> Odds:
        """The odds of the target's loss, which do not depend on where in the area it is."""
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


class ZoneOption(AreaOption):
    """An effect that stays on the map. Only its immediate damage is foreseen, not what may follow."""

    piece: zone_spells_and_teleport.ZoneSpell  # type: ignore[assignment]

    def aims(self) -> Sequence[OptionAim]:
        does_something = self.piece.damage and self.piece.at_once and self.combatant.position is not None
        return super().aims() if does_something else []

    def _saved(self, target: Combatant) -> float:
        return super()._saved(target) if self.piece.save is not None else 0.0


_PER_TARGET = {Shape.SPHERE: 5, Shape.CUBE: 5, Shape.CONE: 10, Shape.LINE: 30}
"""The feet of an area's size that catch one enemy."""


def usually_caught(shape: Shape, feet: int) -> int:
    """The number of enemies that an area is assumed to catch without positions."""
    return max(1, feet // _PER_TARGET[shape])


def _around(place: Position, reach: int) -> list[Position]:
    span = range(-reach, reach + 1)
    return [(place[0] + x, place[1] + y) for y in span for x in span if x * x + y * y <= reach * reach or reach == 1]


def _within(one: Position, other: Position, reach: int) -> bool:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 <= reach * reach


class BlastOption(DamageWithoutAttackOption):
    archetype = "blast"
    piece: areas_and_blasts.BlastPower

    @property
    def notation(self) -> str:
        return self.piece.notation(self.combatant, self.how)

    def foresee(self, aim: OptionAim) -> ForeseenOutcome:
        (name,) = aim.targets
        blast, caster, battle = self.piece, self.combatant, self.outlook.battle
        target = battle.combatants[name]
        saved = save_chance(battle, target, blast.save, blast.difficulty(caster), blast.ref)
        chain = damage_of(blast, caster, self.notation, blast.damage_type)
        harm = Harm(battle, target, caster, blast.ref, types_of(chain))
        if blast.saved == "nothing":
            odds = either(saved, NOTHING, harm_odds(chain, taken_chain(harm)))
        else:
            odds = area_odds(harm, chain, saved)
        afflictions = after_area(blast.then, target, saved) if blast.then is not None else []
        return ForeseenOutcome(harm={name: odds}, afflictions=afflictions)
