"""The metrics of dnd5e. Each measures one thing about an option at an aim; its weight says what that is worth."""

from __future__ import annotations

from combatlog.rules.autoplay.option import Aim
from combatlog.rules.autoplay.scoring import Metrics
from combatlog.rules.dnd5e.autoplay.estimate import save_chance
from combatlog.rules.dnd5e.autoplay.leaving import worth_of_blow
from combatlog.rules.dnd5e.autoplay.odds import at_least, mean, mean_up_to
from combatlog.rules.dnd5e.autoplay.options import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outlook import is_up
from combatlog.rules.dnd5e.autoplay.threats import KILL, hit_points
from combatlog.rules.dnd5e.autoplay.worth import SHELTER, gain, protection
from combatlog.rules.dnd5e.economy import RENEWED
from combatlog.rules.dnd5e.magic import CONCENTRATING, Spell
from combatlog.rules.dnd5e.vitality import HP, maximum_hp
from combatlog.rules.dnd5e.words import AbilityScore

METRICS = Metrics()
FOLLOWING = 0.98
"""What an attack is worth that is still to follow, compared to one that is made now."""
GIVEN_UP = 2.0
"""The worth of a spell that works, compared to an enemy's spell that might be broken."""
REVIVAL = 12.0
"""What getting a friend back on its feet is worth, in hit points."""


@METRICS.add(1.0)
def expected_damage(option: Dnd5eOption, aim: Aim) -> float:
    """What the enemies would lose, given the real chance to hit and no more than they have."""
    harm = option.outcome(aim).harm
    return sum(mean_up_to(harm[foe.id], hit_points(foe)) for foe in option.outlook.foes if foe.id in harm)


@METRICS.add(KILL)
def kills(option: Dnd5eOption, aim: Aim) -> float:
    """How many enemies would go down."""
    harm = option.outcome(aim).harm
    return sum(at_least(harm[foe.id], hit_points(foe)) for foe in option.outlook.foes if foe.id in harm)


@METRICS.add(-1.5)
def friendly_fire(option: Dnd5eOption, aim: Aim) -> float:
    """What friends and the actor would lose."""
    harm = option.outcome(aim).harm
    return sum(mean_up_to(harm[ally.id], hit_points(ally)) for ally in option.outlook.friends if ally.id in harm)


@METRICS.add(1.0)
def healing_worth(option: Dnd5eOption, aim: Aim) -> float:
    """How much is healed; worth more for those who have lost much, and most for those who are down."""
    worth = 0.0
    for name, odds in option.outcome(aim).healing.items():
        target = option.outlook.battle.combatants[name]
        most = maximum_hp(target)
        missing = max(0, most - target.vitals[HP].current)
        worth += mean_up_to(odds, missing) * missing / most + (0.0 if is_up(target) else REVIVAL)
    return worth


@METRICS.add(-0.35)
def danger(option: Dnd5eOption, aim: Aim) -> float:
    """How much more the actor could lose where it would end up than where it is."""
    place = option.outcome(aim).place
    if place is None:
        return 0.0
    return (option.outlook.danger(place) - option.outlook.danger(option.combatant.position)) / option.outlook.boldness


@METRICS.add(-1.0)
def opportunity_attacks(option: Dnd5eOption, aim: Aim) -> float:
    """What opportunity attacks could cost the actor on its way; more if they could bring it down."""
    return sum(worth_of_blow(option.outlook, name) for name in option.outcome(aim).struck_by)


@METRICS.add(1.0)
def opens_up(option: Dnd5eOption, aim: Aim) -> float:
    """What the best attack afterwards would be worth; a little less than making it now."""
    return FOLLOWING * option.outcome(aim).opens_up


@METRICS.add(1.0)
def ambush(option: Dnd5eOption, aim: Aim) -> float:
    """What a later attack would be worth: next turn, from hiding, or when somebody approaches."""
    return option.outcome(aim).ambush


@METRICS.add(0.3)
def distance_to_enemies(option: Dnd5eOption, aim: Aim) -> float:
    """Steps closer to the enemy if there is nobody to attack; worth more the longer the fight lasts."""
    return option.outcome(aim).nearer * option.outlook.boldness


@METRICS.add(1.0)
def boost(option: Dnd5eOption, aim: Aim) -> float:
    """How much more damage the actor's side would deal because of conditions that begin or end."""
    return sum(gain(option.outlook, affliction) for affliction in option.outcome(aim).afflictions)


@METRICS.add(SHELTER)
def shelter(option: Dnd5eOption, aim: Aim) -> float:
    """How much less damage the actor's side would take because of hiding or conditions that begin or end."""
    return option.outcome(aim).spared + sum(
        protection(option.outlook, affliction) for affliction in option.outcome(aim).afflictions
    )


@METRICS.add(4.0)
def concentration(option: Dnd5eOption, aim: Aim) -> float:
    """Enemy spells that would be broken, minus the actor's own spell that it would give up."""
    broken = sum(_breaks(option, name) for name in option.outcome(aim).harm)
    gives_up = isinstance(option.piece, Spell) and option.piece.concentration and _keeps_something_up(option)
    return broken - GIVEN_UP * gives_up


def _keeps_something_up(option: Dnd5eOption) -> bool:
    """Whether the spell that the actor concentrates on still affects anybody: everybody may have saved."""
    kept = option.combatant.conditions.get(CONCENTRATING)
    if kept is None:
        return False
    held = [held for other in option.outlook.battle.present() for held in other.conditions.values() if held is not kept]
    return any((other.source, other.owner) == (kept.source, option.actor) for other in held)


def _breaks(option: Dnd5eOption, name: str) -> float:
    """The chance that a target loses its concentration: that it is hurt and fails its constitution save."""
    target = option.outlook.battle.combatants[name]
    if not target.has(CONCENTRATING) or target.side == option.combatant.side:
        return 0.0
    odds = option.outcome(Aim((name,), options=option.how)).harm.get(name, {0: 1.0})
    against = max(10, int(mean(odds)) // 2)
    saved = save_chance(option.outlook.battle, target, AbilityScore.CON, against, CONCENTRATING)
    return at_least(odds, 1) * (1 - saved)


@METRICS.add(-1.0)
def spent(option: Dnd5eOption, aim: Aim) -> float:
    """What is used up for good: the levels of slots, and 1 for anything else that does not come back."""
    levels = [int(name.removeprefix("slot_")) if name.startswith("slot_") else 1 for name in _lasting(option, aim)]
    return float(sum(levels))


def _lasting(option: Dnd5eOption, aim: Aim) -> list[str]:
    return [resource for resource in option.cost_at(aim) if resource not in RENEWED]
