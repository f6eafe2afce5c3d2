from __future__ import annotations

from combatlog.rules.action_points.actions.attack import WITH_A_WEAPON, armed_assault
from combatlog.rules.action_points.assault import Assault, resolve
from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.damage import pressed_home
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.targeting import DISARMED, held_weapons
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.combatant import Combatant


@piece
class Disarm(Action):
    """Knock a weapon out of the target's hand with a melee attack that does no damage."""

    name = "disarm"
    takes = WITH_A_WEAPON

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        assault = armed_assault(table, actor, declared, melee=True)
        if not held_weapons(assault.defender):
            raise Refusal(
                "disarm/unarmed",
                f"{assault.defender.name} has no weapon in hand; attack instead.",
                who=actor.id,
                target=assault.defender.id,
            )
        return Deed(assault.effort, lambda: _disarm(table, assault))


def _disarm(table: Table, assault: Assault) -> None:
    hit = resolve(table, assault)
    if hit is None or pressed_home(table, hit) is None:
        return
    victim = assault.defender
    before = victim.conditions.get(DISARMED)
    lost = [*(before.data["weapons"] if before else ()), held_weapons(victim)[0].name]
    with table.because_of(hit.check):
        table.apply_condition(
            victim, DISARMED, source=assault.source, owner=assault.attacker.id, data={"weapons": lost}
        )
