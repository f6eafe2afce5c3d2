"""Opportunity attacks that a path would provoke, and what they would cost."""

from __future__ import annotations

from collections.abc import Callable

from combatlog.rules.dnd5e.actions.opportunity_attack import OpportunityAttack
from combatlog.rules.dnd5e.autoplay.hypothetical import standing_at
from combatlog.rules.dnd5e.autoplay.odds import NOTHING
from combatlog.rules.dnd5e.autoplay.outlook import Outlook
from combatlog.rules.dnd5e.autoplay.threats import worth_of
from combatlog.rules.dnd5e.contexts import Step
from combatlog.rules.dnd5e.economy import REACTION
from combatlog.rules.dnd5e.pieces import PIECES, Contributor
from combatlog.rules.dnd5e.reactions import obstacle
from combatlog.rules.dnd5e.state import those_with
from combatlog.rules.dnd5e.targeting import melee_weapon
from ledger.events import Position
from projections.combatant import Combatant


def strikers_on_the_way(outlook: Outlook, place: Position) -> list[str]:
    """The enemies that could attack the actor on its way to a place."""
    here = outlook.actor.position
    if outlook.ways is None or not outlook.is_watched or here is None or place == here:
        return []
    if not _strikers_along(outlook, outlook.ways.before, outlook.strikers, place):
        return []  # nobody could attack on the path that is found first; only then are other paths looked at
    quiet = outlook.quiet_paths
    return sorted(_strikers_along(outlook, quiet.before, outlook.quiet_strikers, place)) if quiet is not None else []


Strikers = dict[Position, frozenset[str]]
"""Those who could attack on the way to each place."""


def _strikers_along(
    outlook: Outlook, before: Callable[[Position], Position], known: Strikers, place: Position
) -> frozenset[str]:
    """Those who could attack on the way to a place, from what is known about the squares before it."""
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
    """The foes that a step provokes: their reaction is asked, as if the actor had come so far."""
    battle = standing_at(outlook.battle, outlook.actor, origin)
    step = Step(battle, battle.combatants[outlook.actor.id], origin, to)
    reaction = PIECES["dnd5e:action:opportunity_attack"]
    assert isinstance(reaction, OpportunityAttack)
    return [foe.id for foe in foes if obstacle(reaction, step, foe) is None]


def those_who_hold_fast(outlook: Outlook, names: list[str]) -> list[str]:
    """Those of them who can attack even somebody who disengages."""
    combatants = outlook.battle.combatants
    return [name for name in names if _holds_fast(combatants[name])]


def _holds_fast(foe: Combatant) -> bool:
    return any(own.holds_fast(foe) for own in those_with(Contributor.holds_fast, foe))


def worth_of_blow(outlook: Outlook, name: str) -> float:
    """What one hit would cost the actor; more if it could bring the actor down."""
    weapon = melee_weapon(outlook.battle.combatants[name])
    odds = outlook.odds(name, weapon, outlook.actor.id) if weapon is not None else NOTHING
    return worth_of(odds, outlook.actor)
