from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.base_action import Action, Deed
from rules.action_points.economy import Paid
from rules.action_points.pieces import piece
from rules.action_points.targeting import DISARMED
from rules.engine.refusal import Refusal
from rules.engine.table import Table


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
