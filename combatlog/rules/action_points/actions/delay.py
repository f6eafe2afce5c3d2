from __future__ import annotations

from combatlog.rules.action_points.pieces import Activity, piece
from combatlog.rules.action_points.rounds import later_in_round, pass_turn
from combatlog.rules.engine.delaying import act_after, require_later, waits_for
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Until, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant

DELAYED = "action_points:condition:delayed"


@piece
class Delay(Activity):
    """Take the turn later in this round: after the turn of the target, or last. Possible once a round."""

    name = "delay"
    cost = "free"
    takes = frozenset({Part.TARGET})

    def require(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(DELAYED):
            raise Refusal("delay/already", f"{actor.name} has already delayed its turn in this round.", who=actor.id)
        require_later(actor, later_in_round(battle, actor))

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        later = later_in_round(table.battle, actor)
        act_after(table, actor, waits_for(actor, later, declared))
        until = Until(moment=UntilMoment.ROUND_END)
        table.apply_condition(actor, DELAYED, source=self.ref, owner=actor.id, until=until)
        pass_turn(table, actor, later[0])
