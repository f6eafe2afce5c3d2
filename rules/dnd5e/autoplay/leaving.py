"""Opportunity attacks that a path would provoke, and what they would cost."""

from __future__ import annotations

from itertools import pairwise

from ledger.events import Position
from projections.combatant import Combatant
from rules.dnd5e.actions.opportunity_attack import OpportunityAttack
from rules.dnd5e.autoplay.hypothetical import standing_at
from rules.dnd5e.autoplay.odds import NOTHING
from rules.dnd5e.autoplay.outlook import Outlook
from rules.dnd5e.autoplay.threats import worth_of
from rules.dnd5e.contexts import Step
from rules.dnd5e.economy import REACTION
from rules.dnd5e.movement import STEP, melee_reach, provocations
from rules.dnd5e.pieces import PIECES, Contributor
from rules.dnd5e.reactions import obstacle
from rules.dnd5e.space import steps_from
from rules.dnd5e.state import those_with
from rules.dnd5e.targeting import melee_weapon
from rules.engine.quiet_paths import quietest_path


def strikers_on_the_way(outlook: Outlook, place: Position) -> list[str]:
    """The enemies that could attack the actor on its way to a place."""
    known = outlook.strikers
    if place not in known:
        known[place] = _strikers(outlook, place)
    return known[place]


def _strikers(outlook: Outlook, place: Position) -> list[str]:
    here = outlook.actor.position
    if outlook.ways is None or not outlook.is_watched or here is None or place == here:
        return []
    if not _on_plain_way(outlook, place):
        return []
    provoked = provocations(outlook.battle, outlook.actor)
    path = quietest_path(outlook.ways, here, place, provoked) if provoked is not None else []
    steps = [step for step in pairwise([here, *path]) if step[0] in outlook.guarded]
    return sorted({striker for step in steps for striker in _strikers_at(outlook, step)})


def _on_plain_way(outlook: Outlook, place: Position) -> bool:
    """Whether anybody could attack on the path that is found first. Only then are other paths looked at."""
    assert outlook.ways is not None
    while (before := outlook.ways.before(place)) != place:
        if before in outlook.guarded and _strikers_at(outlook, (before, place)):
            return True
        place = before
    return False


def _strikers_at(outlook: Outlook, step: tuple[Position, Position]) -> list[str]:
    """The enemies that could attack at one step, whatever path it is part of."""
    near = [foe for foe in outlook.foes if _may_be_left(outlook.actor, foe, *step)]
    if not near:
        return []
    able = tuple(foe.economy.left(REACTION) for foe in near)
    key = ("leaving", outlook.actor.id, step, able, outlook.others, outlook.state)
    return outlook.memory.recall(key, lambda: _those_left(outlook, near, *step))


def _may_be_left(mover: Combatant, foe: Combatant, origin: Position, to: Position) -> bool:
    """Whether a step leads away from a foe that is near."""
    if foe.position is None:
        return False
    before = steps_from(origin, mover, foe)
    return STEP * before <= melee_reach(foe) and before < steps_from(to, mover, foe)


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
