from __future__ import annotations

from pydantic import Field

from combatlog.rules.dnd5e.attack import make_attack, resolve_attack
from combatlog.rules.dnd5e.contexts import Step
from combatlog.rules.dnd5e.movement import LEAVING, can_go_on
from combatlog.rules.dnd5e.pieces import Contributor, Reaction, piece
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.dnd5e.space import steps_from
from combatlog.rules.dnd5e.state import is_hostile, those_with
from combatlog.rules.dnd5e.targeting import can_aim, melee_weapons, weapon_named
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.wielding import is_ready
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


class OpportunityOptions(Options):
    weapon: str | None = Field(default=None, description="the melee weapon to use; the best one if omitted")


@piece
class OpportunityAttack(Reaction[Step]):
    """Attack an enemy that is about to leave one's reach."""

    type = "action"
    name = "opportunity_attack"
    moments = (LEAVING,)
    reaction_options = OpportunityOptions

    def obstacle(self, context: Step, reactor: Combatant) -> str | None:
        mover = context.mover
        if not is_hostile(reactor, mover) or not can_go_on(mover):
            return f"{mover.name} is not an enemy about to leave"
        if reactor.position is None or mover.position != context.origin:
            return f"{mover.name} is no longer where it was"
        weapons = _fitting(context, reactor) if reactor.id not in context.in_tow else []
        if not weapons:
            return f"{mover.name} does not leave {reactor.name}'s reach"
        if not can_see(context.battle, reactor, mover) or not can_aim(context.battle, reactor, mover, weapons[0]):
            return f"{reactor.name} cannot see or strike {mover.name}"
        return _exemption(mover, reactor)

    def react(self, table: Table, context: Step, reactor: Combatant, paid: dict[str, int]) -> None:
        weapon = _chosen(context, reactor, OpportunityOptions.read(context.said).weapon)
        attack = make_attack(table.battle, reactor, context.mover, weapon)
        attack.opportunity = True
        resolve_attack(table, attack)


def _fitting(step: Step, reactor: Combatant) -> list[Weapon]:
    """The melee weapons whose reach the mover is about to leave, the best first."""
    assert reactor.position is not None
    before, after = (steps_from(place, step.mover, reactor) for place in (step.origin, step.to))
    weapons = [weapon for weapon in melee_weapons(reactor) if is_ready(step.battle, reactor, weapon)]
    return [weapon for weapon in weapons if before <= weapon.reach // 5 < after]


def _chosen(step: Step, reactor: Combatant, wanted: str | None) -> Weapon:
    fitting = _fitting(step, reactor)
    if wanted is None:
        return fitting[0]
    named = weapon_named(reactor, wanted)
    if named not in fitting and not named.is_unarmed:
        names = [weapon.name for weapon in fitting]
        raise Refusal(
            "opportunity-attack/weapon",
            f"{named.name} cannot be used for this opportunity attack; choose {choices(names)}.",
            who=reactor.id,
            weapon=named.name,
            available=names,
        )
    return named


def _exemption(mover: Combatant, reactor: Combatant) -> str | None:
    """What lets the mover leave without being attacked, in words."""
    held_fast = any(own.holds_fast(reactor) for own in those_with(Contributor.holds_fast, reactor))
    for contributor in those_with(Contributor.slips_away, mover):
        if contributor.slips_away(mover) and not held_fast:
            return f"{mover.name} is {contributor.title}"
    return None
