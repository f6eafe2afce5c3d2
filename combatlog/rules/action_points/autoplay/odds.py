"""The odds of rolls and attacks, computed from the dice, tables and chains, and the worth of options.

Nothing is recorded and no die is rolled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

from combatlog.rules.action_points.attack import (
    DODGE,
    PASSIVE,
    ActionPointsAttack,
    attack_attempt,
    parries_can_be_paid_for,
    rating,
)
from combatlog.rules.action_points.checks import SkillAttempt, ability_chain
from combatlog.rules.action_points.economy_and_vitality import (
    ACTIONS,
    PENDING_DAMAGE,
    PENDING_HEALING,
    VIT,
    BoostOptions,
    fat_of,
    vit_of,
)
from combatlog.rules.action_points.equipment import ActionPointsSpell, ActionPointsWeapon, Harmful, HealEffect, Item
from combatlog.rules.action_points.pieces import PIECES, ActionPointsReaction
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables_and_formulas import (
    CLASS_FACTOR,
    DAMAGE_ROLLS,
    LATER_ACTION,
    PROTECTION_TV,
    damage,
    damage_roll,
    pool_damage,
)
from combatlog.rules.action_points.tables_and_formulas import PASSIVE as PASSIVE_PENALTY
from combatlog.rules.action_points.targeting_and_movement import FISTS, held_weapons, length
from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.grid.pathfinding import ways_past_others
from combatlog.rules.engine.grid.squares import distance, grid_of
from combatlog.rules.engine.menu import obstacle
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

Chances = dict[int, float]
"""The probability of each result."""

FOUR = (-1, 0, 1)
EXPLOSIONS = 2
"""How many consecutive explosions are considered. A third one has a chance below one in half a million."""
VIT_WORTH = 1.0
FAT_WORTH = 0.4
WOUND_WORTH = 2.0
"""The worth of a point of each, in points of VIT, because losing VIT kills."""


@cache
def fate() -> Chances:
    """4dF+: four fate dice, which explode on four plus or four minus signs."""
    chances: defaultdict[int, float] = defaultdict(float)
    for total, chance in _four().items():
        for more, likely in (_exploded(EXPLOSIONS) if abs(total) == 4 else {0: 1.0}).items():
            chances[total + (more if total > 0 else -more)] += chance * likely
    return dict(chances)


def _four() -> Chances:
    return _tally(sum(faces) for faces in product(FOUR, repeat=4))


def _exploded(depth: int) -> Chances:
    """The number of further signs of the kind that exploded."""
    counted = _tally(faces.count(1) for faces in product(FOUR, repeat=4))
    if depth == 1:
        return counted
    chances: defaultdict[int, float] = defaultdict(float)
    for found, chance in counted.items():
        for more, likely in (_exploded(depth - 1) if found == 4 else {0: 1.0}).items():
            chances[found + more] += chance * likely
    return dict(chances)


def _tally(numbers: Iterable[int]) -> Chances:
    found = list(numbers)
    return {number: found.count(number) / len(found) for number in set(found)}


@cache
def worth_of_hit(success_value: int, classes: int) -> float:
    """The average worth of the damage of a success value. `classes` is the weapon's damage class minus the body's."""
    if success_value < 0:
        return 0.0
    row = damage_roll(min(success_value, max(DAMAGE_ROLLS)))
    scale = classes + row.classes
    factor, divisor = CLASS_FACTOR ** max(0, scale), row.divisor * CLASS_FACTOR ** max(0, -scale)
    rolls = _sums(row.dice)
    return sum(chance * _worth(damage(total, divisor, factor)) for total, chance in rolls.items())


def _worth(points: int) -> float:
    done = pool_damage(points)
    return done.fat * FAT_WORTH + done.vit * VIT_WORTH + done.wounds * WOUND_WORTH


@cache
def _sums(notation: str) -> Chances:
    dice = parse(notation).needed([])
    chances: Chances = {0: 1.0}
    for die in dice:
        following: defaultdict[int, float] = defaultdict(float)
        for total, chance in chances.items():
            for face in die.faces:
                following[total + int(face)] += chance / len(die.faces)
        chances = dict(following)
    return chances


def worth_of_attack(advantage: int, absorbed: int = 0, classes: int = 0) -> float:
    """The expected worth of an attack with an ability score this much above the target value."""
    return sum(chance * worth_of_hit(_left(advantage + rolled, absorbed), classes) for rolled, chance in fate().items())


def _left(success_value: int, absorbed: int) -> int:
    if success_value < 0 or not absorbed:
        return success_value
    return success_value - absorbed or -1


FINISHING = 1.5
"""The factor for damage to a target with little VIT left."""
NEARLY_DEAD = 6
DOOMED = 0.0
"""The factor for damage to a target that the pending pools will kill anyway."""


def attack_worth(
    battle: Battle, attacker: Combatant, target: Combatant, skill: str, means: Harmful, boosts: int = 0
) -> float:
    """The expected worth of an attack with this many boosts against the target's best reaction."""
    advantage = attack_advantage(battle, attacker, target, skill, means) + boosts
    classes = means.damage_class - sheet_of(target).damage_class
    return worth_of_attack(advantage, _absorbed(target, means), classes) * _urgency(target)


def attack_advantage(battle: Battle, attacker: Combatant, target: Combatant, skill: str, means: Harmful) -> int:
    """The ability score of an attack minus the target value of the target's best reaction."""
    melee = isinstance(means, ActionPointsWeapon) and means.is_melee
    assault = ActionPointsAttack(
        attacker,
        target,
        skill,
        BoostOptions(),
        "action_points:rule:estimate",
        means,
        melee=melee,
        paid_parries=parries_can_be_paid_for(battle),
    )
    score = ability_chain(attack_attempt(assault)).bonus() + (LATER_ACTION if _is_later(attacker) else 0)
    return score - _target_value(assault)


def _is_later(attacker: Combatant) -> bool:
    """Whether the attack would be a later action. The chain expects it to be counted already, which it is not."""
    return attacker.economy.left(ACTIONS) == 1


def _target_value(assault: ActionPointsAttack) -> int:
    passive = ability_chain(SkillAttempt(assault.defender, DODGE, "defence")).bonus() + PASSIVE_PENALTY
    promises = [
        reaction.promise(assault)
        for reaction in PIECES.of(ActionPointsReaction).values()
        if _is_open(reaction, assault)
    ]
    return max(passive, *(int(promise) for promise in promises)) if promises else passive


def _is_open(reaction: ActionPointsReaction, assault: ActionPointsAttack) -> bool:
    return reaction.ref != PASSIVE and obstacle(lambda: reaction.require(assault.defender, assault)) is None


def _absorbed(target: Combatant, means: Harmful) -> int:
    """The success value absorbed by armour that usually passes its check."""
    worn = [one for one in sheet_of(target).armour if (sheet_of(target).ability(one.skill) or 0) >= PROTECTION_TV]
    return sum(rating(target, one, means) for one in worn)


def _urgency(target: Combatant) -> float:
    left = vit_of(target) - target.economy.left(PENDING_DAMAGE[VIT])
    if left <= 0:
        return DOOMED
    return FINISHING if left <= NEARLY_DEAD else 1.0


def healing_worth(patient: Combatant, content: ActionPointsSpell | Item) -> float:
    """The missing points that would be healed. FAT counts less than VIT unless it is low."""
    worth = 0.0
    for effect in content.effects:
        if isinstance(effect, HealEffect):
            vital = patient.vitals[effect.pool]
            coming = patient.economy.left(PENDING_HEALING[effect.pool])
            due = patient.economy.left(PENDING_DAMAGE[effect.pool])
            missing = (vital.maximum or vital.current) - vital.current + due - coming
            is_low = effect.pool == VIT or fat_of(patient) - due <= NEARLY_DEAD
            worth += max(0, min(effect.points, missing)) * (1.0 if is_low else 0.2)
    return worth


def nearest_way(
    battle: Battle, mover: Combatant, enemies: Sequence[Combatant], metres: int
) -> tuple[Position, int] | None:
    """The last square within these metres on the path to the nearest enemy, and the number of steps to it.

    None if the mover already has an enemy in reach or cannot get closer.
    """
    if mover.position is None or any(_reaches(mover, enemy) for enemy in enemies):
        return None
    grid, ways = grid_of(battle.map), ways_past_others(battle, mover, mover.position)
    found: list[tuple[int, list[Position]]] = []
    for enemy in enemies:
        for square in _around(enemy):
            if square in grid and grid.is_open(square) and battle.at(square) is None and (way := ways.path(square)):
                found.append((length(grid, way), way))
    if not found:
        return None
    way = min(found)[1]
    steps = [n for n in range(1, len(way) + 1) if length(grid, way[:n]) <= metres and battle.at(way[n - 1]) is None]
    return (way[steps[-1] - 1], steps[-1]) if steps else None


def _around(enemy: Combatant) -> list[Position]:
    if enemy.position is None:
        return []
    x, y = enemy.position
    return [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def _reaches(mover: Combatant, enemy: Combatant) -> bool:
    """Whether a weapon or attack spell reaches the enemy; fists only count if there is no weapon."""
    if mover.position is None or enemy.position is None:
        return True
    reaches = [weapon.farthest for weapon in held_weapons(mover)] or [FISTS.farthest]
    reaches += [spell.range for spell in sheet_of(mover).grimoire.values() if spell.attack]
    return distance(mover.position, enemy.position) <= max(reaches)
