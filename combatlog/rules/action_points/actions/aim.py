from __future__ import annotations

from combatlog.rules.action_points.actions.attack import WITH_A_WEAPON
from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.economy import Paid
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.stances import AIMING
from combatlog.rules.action_points.targeting import choose_weapon, held_weapons, opponent, require_reach
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Aim(Action):
    """Aim at a target: a shot at it gets +2 if it is the first action of the next round."""

    name = "aim"
    options = Paid
    takes = WITH_A_WEAPON

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if all(weapon.is_melee for weapon in held_weapons(actor)):
            raise _nothing_to_aim_with(actor)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        target = opponent(table, actor, declared)
        weapon = choose_weapon(actor, declared.weapon)
        if weapon.is_melee:
            raise _nothing_to_aim_with(actor)
        require_reach(actor, target, weapon.farthest, weapon.name)
        held = actor.conditions.get(AIMING)
        if held is not None and held.data.get("target") == target.id:
            raise Refusal(
                "aim/already",
                f"{actor.name} is aiming at {target.name} already; its shot in the next round gets the bonus.",
                who=actor.id,
                target=target.id,
            )

        def take_aim() -> None:
            table.apply_condition(actor, AIMING, source=self.ref, owner=actor.id, data={"target": target.id})

        return Deed(Paid.read(declared.options), take_aim)


def _nothing_to_aim_with(actor: Combatant) -> Refusal:
    return Refusal("aim/no-ranged-weapon", f"{actor.name} can only aim with a ranged weapon in hand.", who=actor.id)
