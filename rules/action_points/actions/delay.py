from __future__ import annotations

from ledger.events import Declared, InitiativeSet, Until, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.pieces import Activity, piece
from rules.action_points.rounds import later_in_round, pass_turn
from rules.engine.options import Part
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Table

DELAYED = "action_points:condition:delayed"


@piece
class Delay(Activity):
    """Take the turn later in this round: after the turn of the target, or last. Possible once a round."""

    name = "delay"
    cost = "free"
    takes = frozenset({Part.TARGET})

    def require(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(DELAYED):
            raise Refusal("delay/already", f"{actor.id} has already delayed its turn in this round.", who=actor.id)
        if not later_in_round(battle, actor):
            raise Refusal("delay/last", f"Nobody acts after {actor.id} in this round; it cannot wait.", who=actor.id)

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        waits_for = _waits_for(table, actor, declared)
        entries = {entry.combatant: entry for entry in table.battle.clock.order}
        order = [name for name in entries if name != actor.id]
        order.insert(order.index(waits_for) + 1, actor.id)
        later = later_in_round(table.battle, actor)
        table.record(InitiativeSet, order=tuple(entries[name] for name in order))
        until = Until(moment=UntilMoment.ROUND_END)
        table.apply_condition(actor, DELAYED, source=self.ref, owner=actor.id, until=until)
        pass_turn(table, actor, later[0])


def _waits_for(table: Table, actor: Combatant, declared: Declared) -> str:
    """Whose turn comes before the delayed one: that of the target, or else of the last combatant."""
    later = [other.id for other in later_in_round(table.battle, actor)]
    if not declared.targets:
        return later[-1]
    if len(declared.targets) == 1 and declared.targets[0] in later:
        return declared.targets[0]
    raise Refusal(
        "delay/not-later",
        f"{actor.id} can wait for one combatant that acts later in this round: {choices(later)}.",
        who=actor.id,
        found=list(declared.targets),
        available=later,
    )
