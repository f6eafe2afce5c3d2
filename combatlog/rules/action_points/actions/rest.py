from __future__ import annotations

from pydantic import Field

from combatlog.rules.action_points.base_action import begin_action, focus_holds, require_able, require_focus
from combatlog.rules.action_points.economy import ACTIONS, AP, Cost, pay, require_payable
from combatlog.rules.action_points.pieces import Activity, piece
from combatlog.rules.action_points.vitality import FAT, queue_healing
from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Until, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant

RESTING = "action_points:condition:resting"


class Resting(Options):
    ap: int = Field(ge=1, le=99, description="the AP to turn into FAT healing, 1 for 1")


@piece
class Rest(Activity):
    """Turn AP into FAT healing; a combatant that rests does nothing else this round."""

    name = "rest"
    options = Resting
    cost = "any number of AP"

    def require(self, battle: Battle, actor: Combatant) -> None:
        require_able(actor)
        require_focus(actor)
        require_payable(actor, Cost(ap=1))
        if actor.economy.left(ACTIONS):
            raise Refusal(
                "rest/already-acted",
                f"{actor.name} has already acted this round; it can rest in the next one.",
                who=actor.id,
            )

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        points = Resting.read(declared.options).ap
        require_payable(actor, Cost(ap=points))
        if focus_holds(table, actor):
            _rest(table, actor, points, self.ref)


def _rest(table: Table, actor: Combatant, points: int, ref: str) -> None:
    pay(table, actor, Cost(ap=points), "rest", ref)
    begin_action(table, actor, "rest", ref)
    queue_healing(table, actor, FAT, points, "rest", ref)
    if left := actor.economy.left(AP):
        table.lock(actor, AP, left, "resting", ref)
    table.apply_condition(actor, RESTING, source=ref, owner=actor.id, until=Until(moment=UntilMoment.ROUND_END))
