from __future__ import annotations

from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, MOVEMENT
from combatlog.rules.dnd5e.optional_rules import allows_delay
from combatlog.rules.dnd5e.pieces import Ability, piece
from combatlog.rules.dnd5e.turns import later_in_round, pass_turn
from combatlog.rules.engine.delaying import act_after, require_later, waits_for
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Delay(Ability):
    """Take the turn later, from this round on: after the turn of the target, or last. An optional rule."""

    name = "delay"
    parts = frozenset({Part.TARGET})

    def is_offered(self, battle: Battle) -> bool:
        return allows_delay(battle)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not self.is_offered(battle):
            raise Refusal("delay/not-allowed", "This fight is played without delaying.", who=actor.id, option="delay")
        if any(actor.economy[resource].spent for resource in (ACTION, BONUS_ACTION, MOVEMENT)):
            raise Refusal("delay/begun", f"{actor.name} has begun its turn and cannot delay it any more.", who=actor.id)
        require_later(actor, later_in_round(battle, actor))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        later = later_in_round(table.battle, actor)
        act_after(table, actor, waits_for(actor, later, declared))
        pass_turn(table, actor, later[0])
