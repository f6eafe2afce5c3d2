"""The metrics of dnd5e. Each measures one thing about an option at an aim; a weight says what that is worth."""

from __future__ import annotations

from itertools import pairwise

from projections.combatant import Combatant
from rules.choosing.option import Aim
from rules.choosing.scoring import Metrics
from rules.dnd5e.actions.opportunity_attack import OpportunityAttack
from rules.dnd5e.choosing.estimate import save_chance
from rules.dnd5e.choosing.odds import at_least, mean, mean_up_to
from rules.dnd5e.choosing.options import Dnd5eOption
from rules.dnd5e.choosing.outlook import Outlook, is_up
from rules.dnd5e.choosing.threats import KILL, hit_points
from rules.dnd5e.choosing.worth import SHELTER, gain, protection
from rules.dnd5e.economy import RENEWED
from rules.dnd5e.magic import CONCENTRATING, Spell
from rules.dnd5e.occasions import Step
from rules.dnd5e.pieces import PIECES
from rules.dnd5e.reactions import obstacle
from rules.dnd5e.sheet import sheet_of
from rules.dnd5e.vitality import HP, maximum_hp
from rules.dnd5e.words import AbilityScore
from rules.grid import distance

METRICS = Metrics()
REVIVAL = 12.0
"""What it is worth to have a friend back on its feet, in hit points."""
MOST_REACH = 6
"""Squares that no weapon reaches beyond."""


@METRICS.add(1.0)
def expected_damage(option: Dnd5eOption, aim: Aim) -> float:
    """What the enemies would lose, with the real chance to hit and never more than they have."""
    harm = option.outcome(aim).harm
    return sum(mean_up_to(harm[foe.id], hit_points(foe)) for foe in option.outlook.foes if foe.id in harm)


@METRICS.add(KILL)
def kills(option: Dnd5eOption, aim: Aim) -> float:
    """How many enemies would go down."""
    harm = option.outcome(aim).harm
    return sum(at_least(harm[foe.id], hit_points(foe)) for foe in option.outlook.foes if foe.id in harm)


@METRICS.add(-1.5)
def friendly_fire(option: Dnd5eOption, aim: Aim) -> float:
    """What friends, and the actor, would lose by it."""
    harm = option.outcome(aim).harm
    return sum(mean_up_to(harm[ally.id], hit_points(ally)) for ally in option.outlook.friends if ally.id in harm)


@METRICS.add(1.0)
def healing_worth(option: Dnd5eOption, aim: Aim) -> float:
    """What is healed, more for those who miss much, and most for those who are down."""
    worth = 0.0
    for name, odds in option.outcome(aim).healing.items():
        target = option.outlook.battle.combatants[name]
        most = maximum_hp(target)
        missing = max(0, most - target.vitals[HP].current)
        worth += mean_up_to(odds, missing) * missing / most + (0.0 if is_up(target) else REVIVAL)
    return worth


@METRICS.add(-0.35)
def danger(option: Dnd5eOption, aim: Aim) -> float:
    """How much more the enemies could take from the actor where it would stand than where it stands."""
    place = option.outcome(aim).place
    if place is None:
        return 0.0
    return (option.outlook.danger(place) - option.outlook.danger(option.combatant.position)) / _boldness(option.outlook)


@METRICS.add(-1.0)
def opportunity_attacks(option: Dnd5eOption, aim: Aim) -> float:
    """What those could take who may strike at the actor on its way."""
    path = option.outcome(aim).path
    outlook, here = option.outlook, option.combatant.position
    if not path or here is None:
        return 0.0
    steps = [Step(outlook.battle, option.combatant, origin, to) for origin, to in pairwise([here, *path])]
    struck = [foe for foe in outlook.foes if any(_is_left(step, foe) for step in steps)]
    return sum(_one_blow(outlook, foe.id) for foe in struck)


def _is_left(step: Step, foe: Combatant) -> bool:
    """Whether a step lets a foe strike: as its reaction itself would say, asked only where the step is near."""
    if foe.position is None or distance(foe.position, step.origin) >= distance(foe.position, step.to):
        return False
    if distance(foe.position, step.origin) > MOST_REACH:
        return False
    reaction = PIECES["dnd5e:action:opportunity_attack"]
    assert isinstance(reaction, OpportunityAttack)
    return obstacle(reaction, step, foe) is None


def _one_blow(outlook: Outlook, foe: str) -> float:
    attacker = outlook.battle.combatants[foe]
    return outlook.threat(foe, outlook.actor.id) / max(1, sheet_of(attacker).multiattack)


@METRICS.add(1.0)
def opens_up(option: Dnd5eOption, aim: Aim) -> float:
    """What the best attack would be worth that is possible after it. A little less than making it at once."""
    return 0.98 * option.outcome(aim).opens_up


@METRICS.add(0.3)
def distance_to_enemies(option: Dnd5eOption, aim: Aim) -> float:
    """Steps nearer to the enemy, for those who have nobody to attack; more eagerly the longer the fight takes."""
    return option.outcome(aim).nearer * _boldness(option.outlook)


def _boldness(outlook: Outlook) -> float:
    """Caution that never ends would never end a fight."""
    return 1 + outlook.battle.clock.round / 4


@METRICS.add(1.0)
def boost(option: Dnd5eOption, aim: Aim) -> float:
    """How much more the actor's side would deal, by conditions that begin or end."""
    return sum(gain(option.outlook, affliction) for affliction in option.outcome(aim).afflictions)


@METRICS.add(SHELTER)
def shelter(option: Dnd5eOption, aim: Aim) -> float:
    """How much less the actor's side would suffer, by conditions that begin or end."""
    return sum(protection(option.outlook, affliction) for affliction in option.outcome(aim).afflictions)


@METRICS.add(4.0)
def concentration(option: Dnd5eOption, aim: Aim) -> float:
    """Spells of the enemy that would be broken, less the actor's own that it would give up."""
    broken = sum(_breaks(option, name) for name in option.outcome(aim).harm)
    gives_up = isinstance(option.piece, Spell) and option.piece.concentration and option.combatant.has(CONCENTRATING)
    return broken - 2.0 * gives_up


def _breaks(option: Dnd5eOption, name: str) -> float:
    """The chance that somebody loses its concentration: it is hurt, and fails a constitution save against 10."""
    target = option.outlook.battle.combatants[name]
    if not target.has(CONCENTRATING) or target.side == option.combatant.side:
        return 0.0
    odds = option.outcome(Aim((name,), options=option.how)).harm.get(name, {0: 1.0})
    against = max(10, int(mean(odds)) // 2)
    saved = save_chance(option.outlook.battle, target, AbilityScore.CON, against, CONCENTRATING)
    return at_least(odds, 1) * (1 - saved)


@METRICS.add(-1.0)
def spent(option: Dnd5eOption, aim: Aim) -> float:
    """What is used up for good: the levels of slots, and one for anything else that does not come back."""
    levels = [int(name.removeprefix("slot_")) if name.startswith("slot_") else 1 for name in _lasting(option, aim)]
    return float(sum(levels))


def _lasting(option: Dnd5eOption, aim: Aim) -> list[str]:
    return [resource for resource in option.cost_at(aim) if resource not in RENEWED]
