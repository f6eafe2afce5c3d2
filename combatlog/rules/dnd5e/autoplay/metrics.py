"""The metrics of dnd5e. Each measures one aspect of an option; its weight says how much that is worth.
They include the worth of a condition and the cost of opportunity attacks.
"""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.scoring import Metrics
from combatlog.rules.dnd5e.actions.opportunity_attack_and_bonus_strikes import OpportunityAttack
from combatlog.rules.dnd5e.attack.targeting import melee_weapon
from combatlog.rules.dnd5e.autoplay.hypothetical_battles import standing_at
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import (
    NOTHING,
    ForeseenCondition,
    at_least,
    mean,
    mean_up_to,
    save_chance,
)
from combatlog.rules.dnd5e.autoplay.option_base import Dnd5eOption
from combatlog.rules.dnd5e.autoplay.outlook import Outlook, is_up
from combatlog.rules.dnd5e.autoplay.threats import KILL, hit_points, worth_of
from combatlog.rules.dnd5e.combatant_state import those_with
from combatlog.rules.dnd5e.contexts import MovementStep
from combatlog.rules.dnd5e.economy import REACTION, RENEWED
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.hit_points import HP, maximum_hp
from combatlog.rules.dnd5e.pieces import PIECES, Contributor
from combatlog.rules.dnd5e.reactions import obstacle
from combatlog.rules.dnd5e.spells.casting import CONCENTRATING, Spell
from ledger.events import Position
from projections.battle.combatant import Combatant

SHELTER = 0.5
"""The worth of a hit point saved. Lower than 1, because attacks may be aimed at other targets instead."""


def worth_of_condition(outlook: Outlook, affliction: ForeseenCondition) -> float:
    return gain(outlook, affliction) + SHELTER * protection(outlook, affliction)


def gain(outlook: Outlook, affliction: ForeseenCondition) -> float:
    """The additional damage that the actor's side would deal."""
    name = affliction.target
    if _is_foe(outlook, name):
        pairs = [(ally.id, name) for ally in outlook.friends if is_up(ally)]
    else:
        against = affliction.data.get("against")
        pairs = [(name, foe.id) for foe in outlook.foes if against in (None, foe.id)]
    more = _most_after(outlook, affliction, pairs) - max(_now(outlook, pairs), default=0.0)
    return affliction.chance * affliction.turns * more


def protection(outlook: Outlook, affliction: ForeseenCondition) -> float:
    """The damage that the actor's side would be spared, limited to its hit points."""
    name = affliction.target
    if _is_foe(outlook, name):
        pairs = [(name, ally.id) for ally in outlook.friends if is_up(ally)]
        spared = max(_now(outlook, pairs), default=0.0) - _most_after(outlook, affliction, pairs)
    else:
        ally = outlook.battle.combatants[name]
        pairs = [(foe.id, name) for foe in outlook.foes if outlook.gets_at(foe, ally.position)]
        after = sum(outlook.threat_after(affliction, *pair) for pair in pairs)
        spared = min(hit_points(ally), sum(_now(outlook, pairs))) - min(hit_points(ally), after)
    return affliction.chance * affliction.turns * spared


def _is_foe(outlook: Outlook, name: str) -> bool:
    return any(foe.id == name for foe in outlook.foes)


def _most_after(outlook: Outlook, affliction: ForeseenCondition, pairs: list[tuple[str, str]]) -> float:
    return max((outlook.threat_after(affliction, *pair) for pair in pairs), default=0.0)


def _now(outlook: Outlook, pairs: list[tuple[str, str]]) -> list[float]:
    return [outlook.threat(*pair) for pair in pairs]


def strikers_on_the_way(outlook: Outlook, place: Position) -> list[str]:
    """The enemies that could attack the actor on its way to a place."""
    here = outlook.actor.position
    if outlook.ways is None or not outlook.is_watched or here is None or place == here:
        return []
    if not _strikers_along(outlook, outlook.ways.before, outlook.strikers, place):
        return []  # no attack on the usual path, so there is no need to look at others
    quiet = outlook.quiet_paths
    return sorted(_strikers_along(outlook, quiet.before, outlook.quiet_strikers, place)) if quiet is not None else []


Strikers = dict[Position, frozenset[str]]
"""The enemies that could attack on the way to each place."""


def _strikers_along(
    outlook: Outlook, before: Callable[[Position], Position], known: Strikers, place: Position
) -> frozenset[str]:
    """The enemies that could attack on the way to a place, built from those of the squares before it."""
    if place not in known:
        last = before(place)
        if last == place:
            known[place] = frozenset()
        else:
            so_far = _strikers_along(outlook, before, known, last)
            known[place] = so_far.union(_strikers_at(outlook, (last, place)) if last in outlook.guarded else ())
    return known[place]


def _strikers_at(outlook: Outlook, step: tuple[Position, Position]) -> list[str]:
    """The enemies that could attack at one step, whatever path it is part of."""
    near = [foe for foe in outlook.foes if _may_be_left(outlook, foe, *step)]
    if not near:
        return []
    able = tuple(foe.economy.left(REACTION) for foe in near)
    key = ("leaving", outlook.actor.id, step, able, outlook.others, outlook.state)
    return outlook.memory.recall(key, lambda: _those_left(outlook, near, *step))


def _may_be_left(outlook: Outlook, foe: Combatant, origin: Position, to: Position) -> bool:
    """Whether a step leads away from a foe that is near."""
    if foe.position is None:
        return False
    steps_from, reach = outlook.keeping_near(foe)
    before = steps_from(origin)
    return before <= reach and before < steps_from(to)


def _those_left(outlook: Outlook, foes: list[Combatant], origin: Position, to: Position) -> list[str]:
    """The foes that a step provokes, according to their reaction, as if the actor had come this far."""
    battle = standing_at(outlook.battle, outlook.actor, origin)
    step = MovementStep(battle, battle.combatants[outlook.actor.id], origin, to)
    reaction = PIECES["dnd5e:action:opportunity_attack"]
    assert isinstance(reaction, OpportunityAttack)
    return [foe.id for foe in foes if obstacle(reaction, step, foe) is None]


def those_who_hold_fast(outlook: Outlook, names: list[str]) -> list[str]:
    """The enemies among these who can attack even a target that disengages."""
    combatants = outlook.battle.combatants
    return [name for name in names if _holds_fast(combatants[name])]


def _holds_fast(foe: Combatant) -> bool:
    return any(own.holds_fast(foe) for own in those_with(Contributor.holds_fast, foe))


def worth_of_blow(outlook: Outlook, name: str) -> float:
    """The expected cost of one attack to the actor; higher if it could bring the actor down."""
    weapon = melee_weapon(outlook.battle.combatants[name])
    odds = outlook.odds(name, weapon, outlook.actor.id) if weapon is not None else NOTHING
    return worth_of(odds, outlook.actor)


METRICS = Metrics()
FOLLOWING = 0.98
"""The worth of a later attack, compared to one made now."""
GIVEN_UP = 2.0
"""The worth of keeping the actor's own spell, compared to a chance to break an enemy's."""
REVIVAL = 12.0
"""The worth of getting a friend back on its feet, in hit points."""


@METRICS.add(1.0)
def expected_damage(option: Dnd5eOption, aim: OptionAim) -> float:
    """The hit points that enemies would lose, given the real chance to hit and limited to what they have."""
    harm = option.outcome(aim).harm
    return sum(mean_up_to(harm[foe.id], hit_points(foe)) for foe in option.outlook.foes if foe.id in harm)


@METRICS.add(KILL)
def kills(option: Dnd5eOption, aim: OptionAim) -> float:
    """The number of enemies that would go down."""
    harm = option.outcome(aim).harm
    return sum(at_least(harm[foe.id], hit_points(foe)) for foe in option.outlook.foes if foe.id in harm)


@METRICS.add(-1.5)
def friendly_fire(option: Dnd5eOption, aim: OptionAim) -> float:
    """The hit points that friends and the actor would lose."""
    harm = option.outcome(aim).harm
    return sum(mean_up_to(harm[ally.id], hit_points(ally)) for ally in option.outlook.friends if ally.id in harm)


@METRICS.add(1.0)
def healing_worth(option: Dnd5eOption, aim: OptionAim) -> float:
    """The hit points healed; worth more for friends who have lost a lot, and most for those who are down."""
    worth = 0.0
    for name, odds in option.outcome(aim).healing.items():
        target = option.outlook.battle.combatants[name]
        most = maximum_hp(target)
        missing = max(0, most - target.vitals[HP].current)
        worth += mean_up_to(odds, missing) * missing / most + (0.0 if is_up(target) else REVIVAL)
    return worth


@METRICS.add(-0.35)
def danger(option: Dnd5eOption, aim: OptionAim) -> float:
    """How much more the actor could lose at its destination than where it is now."""
    place = option.outcome(aim).place
    if place is None:
        return 0.0
    return (option.outlook.danger(place) - option.outlook.danger(option.combatant.position)) / option.outlook.boldness


@METRICS.add(-1.0)
def opportunity_attacks(option: Dnd5eOption, aim: OptionAim) -> float:
    """The expected cost of opportunity attacks on the way; higher if they could bring the actor down."""
    return sum(worth_of_blow(option.outlook, name) for name in option.outcome(aim).struck_by)


@METRICS.add(1.0)
def opens_up(option: Dnd5eOption, aim: OptionAim) -> float:
    """The worth of the best attack that this makes possible; a little less than that of attacking now."""
    return FOLLOWING * option.outcome(aim).opens_up


@METRICS.add(1.0)
def ambush(option: Dnd5eOption, aim: OptionAim) -> float:
    """The worth of a later attack: next turn, from hiding, or when an enemy approaches."""
    return option.outcome(aim).ambush


@METRICS.add(0.3)
def distance_to_enemies(option: Dnd5eOption, aim: OptionAim) -> float:
    """Steps closer to the enemy if there is none to attack; worth more the longer the fight lasts."""
    return option.outcome(aim).nearer * option.outlook.boldness


@METRICS.add(1.0)
def boost(option: Dnd5eOption, aim: OptionAim) -> float:
    """The additional damage that the actor's side would deal because of conditions that begin or end."""
    return sum(gain(option.outlook, affliction) for affliction in option.outcome(aim).afflictions)


@METRICS.add(SHELTER)
def shelter(option: Dnd5eOption, aim: OptionAim) -> float:
    """The damage that the actor's side would be spared by hiding or by conditions that begin or end."""
    return option.outcome(aim).spared + sum(
        protection(option.outlook, affliction) for affliction in option.outcome(aim).afflictions
    )


@METRICS.add(4.0)
def concentration(option: Dnd5eOption, aim: OptionAim) -> float:
    """Enemy spells that would be broken, minus the actor's own spell that it would give up."""
    broken = sum(_breaks(option, name) for name in option.outcome(aim).harm)
    gives_up = isinstance(option.piece, Spell) and option.piece.concentration and _keeps_something_up(option)
    return broken - GIVEN_UP * gives_up


def _keeps_something_up(option: Dnd5eOption) -> bool:
    """Whether the spell on which the actor concentrates still affects any combatant; all may have saved."""
    kept = option.combatant.conditions.get(CONCENTRATING)
    if kept is None:
        return False
    held = [held for other in option.outlook.battle.present() for held in other.conditions.values() if held is not kept]
    return any((other.source, other.owner) == (kept.source, option.actor) for other in held)


def _breaks(option: Dnd5eOption, name: str) -> float:
    """The chance that a target loses its concentration: it is hurt and fails its Constitution save."""
    target = option.outlook.battle.combatants[name]
    if not target.has(CONCENTRATING) or target.side == option.combatant.side:
        return 0.0
    odds = option.outcome(OptionAim((name,), options=option.how)).harm.get(name, {0: 1.0})
    against = max(10, int(mean(odds)) // 2)
    saved = save_chance(option.outlook.battle, target, AbilityScore.CON, against, CONCENTRATING)
    return at_least(odds, 1) * (1 - saved)


@METRICS.add(-1.0)
def spent(option: Dnd5eOption, aim: OptionAim) -> float:
    """Lasting costs: the levels of slots, and 1 for any other resource that does not renew each turn."""
    levels = [int(name.removeprefix("slot_")) if name.startswith("slot_") else 1 for name in _lasting(option, aim)]
    return float(sum(levels))


def _lasting(option: Dnd5eOption, aim: OptionAim) -> list[str]:
    return [resource for resource in option.cost_at(aim) if resource not in RENEWED]
