from __future__ import annotations

from combatlog.rules.action_points.assault import Assault, parries_can_be_paid_for, resolve
from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.cooldown import cool_down, require_ready
from combatlog.rules.action_points.damage import deal_damage
from combatlog.rules.action_points.economy import Effort
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.stances import lose_aim
from combatlog.rules.action_points.targeting import choose_weapon, opponent, require_reach, weapon_ref
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant

WITH_A_WEAPON = frozenset({Part.TARGET, Part.WEAPON})
"""The parts that an attack with a weapon takes."""


@piece
class Attack(Action):
    """Attack a target with a weapon in hand, in melee or from a distance."""

    name = "attack"
    takes = WITH_A_WEAPON
    uses_aim = True

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        assault = armed_assault(table, actor, declared)
        return Deed(assault.effort, lambda: _strike(table, assault))


def armed_assault(table: Table, actor: Combatant, declared: Declared, *, melee: bool = False) -> Assault:
    """An attack with a weapon, or a refusal if it is not possible."""
    target = opponent(table, actor, declared)
    weapon = choose_weapon(actor, declared.weapon, melee=melee)
    require_reach(actor, target, weapon.farthest, weapon.name)
    require_ready(actor, weapon)
    return Assault(
        actor,
        target,
        weapon.skill,
        Effort.read(declared.options),
        weapon_ref(weapon),
        weapon,
        melee=weapon.is_melee,
        paid_parries=parries_can_be_paid_for(table.battle),
    )


def _strike(table: Table, assault: Assault) -> None:
    cool_down(table, assault)
    hit = resolve(table, assault)
    lose_aim(table, assault.attacker, "it has attacked")
    if hit is not None:
        deal_damage(table, hit)
