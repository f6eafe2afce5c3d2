from __future__ import annotations

from combatlog.rules.action_points.base_action import Action, Deed
from combatlog.rules.action_points.economy import Paid
from combatlog.rules.action_points.pieces import piece
from combatlog.rules.action_points.targeting import DISARMED
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Rearm(Action):
    """Pick up the weapons that the combatant was disarmed of."""

    name = "rearm"
    options = Paid

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if not actor.has(DISARMED):
            raise Refusal("rearm/armed", f"{actor.name} was not disarmed; there is nothing to pick up.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        def take_up() -> None:
            table.remove_condition(actor, DISARMED, self.name)

        return Deed(Paid.read(declared.options), take_up)
