"""What things are worth, from the chains that would resolve them. Nothing is recorded and no die is rolled."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.action_points.assault import DODGE, PASSIVE, Assault, attack_attempt, parries_can_be_paid_for
from combatlog.rules.action_points.autoplay.odds import worth_of_attack
from combatlog.rules.action_points.checks import Attempt, ability_chain
from combatlog.rules.action_points.economy import ACTIONS, Effort
from combatlog.rules.action_points.equipment import Harmful, Weapon
from combatlog.rules.action_points.movement import length
from combatlog.rules.action_points.pieces import PIECES, Reaction
from combatlog.rules.action_points.protection import rating
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.spells_and_items import Heal, Item, Spell
from combatlog.rules.action_points.tables import LATER_ACTION, PROTECTION_TV
from combatlog.rules.action_points.tables import PASSIVE as PASSIVE_PENALTY
from combatlog.rules.action_points.targeting import FISTS, held_weapons
from combatlog.rules.action_points.vitality import PENDING_DAMAGE, PENDING_HEALING, VIT, fat_of, vit_of
from combatlog.rules.engine.grid import distance, grid_of
from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.pathfinding import ways_past_others
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant

FINISHING = 1.5
"""How much more the damage to somebody is worth who has little VIT left."""
NEARLY_DEAD = 6
DOOMED = 0.0
"""What damage to somebody is worth whom the pending pools kill anyway: there are others to attack."""


def attack_worth(
    battle: Battle, attacker: Combatant, target: Combatant, skill: str, means: Harmful, boosts: int = 0
) -> float:
    """The expected worth of an attack, with so many boosts, against the best answer that the target has."""
    advantage = attack_advantage(battle, attacker, target, skill, means) + boosts
    classes = means.damage_class - sheet_of(target).damage_class
    return worth_of_attack(advantage, _absorbed(target, means), classes) * _urgency(target)


def attack_advantage(battle: Battle, attacker: Combatant, target: Combatant, skill: str, means: Harmful) -> int:
    """By how much the ability score of an attack exceeds what the target would answer it with."""
    melee = isinstance(means, Weapon) and means.is_melee
    assault = Assault(
        attacker,
        target,
        skill,
        Effort(),
        "action_points:rule:estimate",
        means,
        melee=melee,
        paid_parries=parries_can_be_paid_for(battle),
    )
    score = ability_chain(attack_attempt(assault)).bonus() + (LATER_ACTION if _is_later(attacker) else 0)
    return score - _target_value(assault)


def _is_later(attacker: Combatant) -> bool:
    """The chain counts the action under way; this one has not begun, so it counts from the first on."""
    return attacker.economy.left(ACTIONS) == 1


def _target_value(assault: Assault) -> int:
    passive = ability_chain(Attempt(assault.defender, DODGE, "defence")).bonus() + PASSIVE_PENALTY
    promises = [reaction.promise(assault) for reaction in PIECES.of(Reaction).values() if _is_open(reaction, assault)]
    return max(passive, *(int(promise) for promise in promises)) if promises else passive


def _is_open(reaction: Reaction, assault: Assault) -> bool:
    return reaction.ref != PASSIVE and obstacle(lambda: reaction.require(assault.defender, assault)) is None


def _absorbed(target: Combatant, means: Harmful) -> int:
    """What armour that usually holds takes off."""
    worn = [one for one in sheet_of(target).armour if (sheet_of(target).ability(one.skill) or 0) >= PROTECTION_TV]
    return sum(rating(target, one, means) for one in worn)


def _urgency(target: Combatant) -> float:
    left = vit_of(target) - target.economy.left(PENDING_DAMAGE[VIT])
    if left <= 0:
        return DOOMED
    return FINISHING if left <= NEARLY_DEAD else 1.0


def healing_worth(patient: Combatant, content: Spell | Item) -> float:
    """What is missing and would come back; VIT counts double."""
    worth = 0.0
    for effect in content.effects:
        if isinstance(effect, Heal):
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
    """Where the way to the nearest enemy leads within these metres, and how many of them bring the mover closer.

    None for those who can attack somebody from where they are, or cannot get closer.
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
    """With something better than its fists, unless it has nothing else."""
    if mover.position is None or enemy.position is None:
        return True
    reaches = [weapon.farthest for weapon in held_weapons(mover)] or [FISTS.farthest]
    reaches += [spell.range for spell in sheet_of(mover).grimoire.values() if spell.attack]
    return distance(mover.position, enemy.position) <= max(reaches)
