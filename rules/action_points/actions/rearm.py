from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.base_action import Action, Deed
from rules.action_points.economy import read_effort, refuse_boost
from rules.action_points.pieces import piece
from rules.action_points.targeting import DISARMED
from rules.engine.refusal import Refusal
from rules.engine.table import Table


@piece
class Rearm(Action):
    """Take up again what one was disarmed of."""

    name = "rearm"

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if not actor.has(DISARMED):
            raise Refusal("rearm/armed", f"{actor.id} was not disarmed; there is nothing to take up.")

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        effort = read_effort(declared.options)
        refuse_boost(effort, "Taking up a weapon")

        def take_up() -> None:
            table.remove_condition(actor, DISARMED, self.name)

        return Deed(effort, take_up)
