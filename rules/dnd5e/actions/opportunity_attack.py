from __future__ import annotations

from projections.combatant import Combatant
from rules.dnd5e.attack import make_attack, resolve_attack
from rules.dnd5e.contexts import Step
from rules.dnd5e.movement import LEAVING, can_go_on
from rules.dnd5e.pieces import Contributor, Reaction, piece
from rules.dnd5e.sight import can_see
from rules.dnd5e.state import is_hostile, those_with
from rules.dnd5e.targeting import can_aim, melee_weapon
from rules.engine.grid import distance
from rules.engine.table import Table


@piece
class OpportunityAttack(Reaction[Step]):
    """Attack an enemy that is about to leave one's reach."""

    type = "action"
    name = "opportunity_attack"
    moments = (LEAVING,)

    def obstacle(self, context: Step, reactor: Combatant) -> str | None:
        mover = context.mover
        if not is_hostile(reactor, mover) or not can_go_on(mover):
            return f"{mover.id} is not an enemy about to leave"
        weapon = melee_weapon(reactor)
        if weapon is None or reactor.position is None:
            return f"{reactor.id} has no melee weapon"
        reach = weapon.reach // 5
        if distance(reactor.position, context.origin) > reach or distance(reactor.position, context.to) <= reach:
            return f"{mover.id} does not leave {reactor.id}'s reach"
        if not can_see(context.battle, reactor, mover) or not can_aim(context.battle, reactor, mover, weapon):
            return f"{reactor.id} cannot see or strike {mover.id}"
        return _exemption(mover, reactor)

    def react(self, table: Table, context: Step, reactor: Combatant, paid: dict[str, int]) -> None:
        weapon = melee_weapon(reactor)
        assert weapon is not None
        attack = make_attack(table.battle, reactor, context.mover, weapon)
        attack.opportunity = True
        resolve_attack(table, attack)


def _exemption(mover: Combatant, reactor: Combatant) -> str | None:
    """What lets the mover leave without being attacked, in words."""
    held_fast = any(own.holds_fast(reactor) for own in those_with(Contributor.holds_fast, reactor))
    for contributor in those_with(Contributor.slips_away, mover):
        if contributor.slips_away(mover) and not held_fast:
            return f"{mover.id} is {contributor.title}"
    return None
