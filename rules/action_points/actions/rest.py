from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Declared, Until, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.base_action import end_parrying, focus_holds, require_able
from rules.action_points.economy import ACTIONS, AP, Cost, count_action, pay, require_payable
from rules.action_points.pieces import Activity, piece
from rules.action_points.vitality import FAT, queue_healing
from rules.engine.refusal import Refusal
from rules.engine.table import Table
from rules.engine.validation import validated

RESTING = "action_points:condition:resting"


class Resting(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    ap: int = Field(ge=1, le=99, description="how many AP to rest with")


@piece
class Rest(Activity):
    """Turn AP into FAT healing, instead of all other actions of the round."""

    name = "rest"
    cost = "any number of AP"

    def require(self, battle: Battle, actor: Combatant) -> None:
        require_able(actor)
        require_payable(actor, Cost(ap=1))
        if actor.economy.left(ACTIONS):
            raise Refusal("rest/already-acted", f"{actor.id} has acted this round and can rest in the next.")

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        points = validated(Resting, declared.options, "declaration/invalid-option", "The option").ap
        require_payable(actor, Cost(ap=points))
        if focus_holds(table, actor):
            _rest(table, actor, points, self.ref)


def _rest(table: Table, actor: Combatant, points: int, ref: str) -> None:
    pay(table, actor, Cost(ap=points), "rest", ref)
    count_action(table, actor, "rest", ref)
    end_parrying(table, actor, "rest")
    queue_healing(table, actor, FAT, points, "rest", ref)
    if left := actor.economy.left(AP):
        table.lock(actor, AP, left, "resting", ref)
    table.apply_condition(actor, RESTING, source=ref, owner=actor.id, until=Until(moment=UntilMoment.ROUND_END))
