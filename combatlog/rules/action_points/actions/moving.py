"""The three ways to move: a free step, a sprint as an action, and a sprint that takes the whole round."""

from __future__ import annotations

from combatlog.rules.action_points.base_action import Action, Deed, require_able
from combatlog.rules.action_points.economy import ACTIONS, METRES, Paid
from combatlog.rules.action_points.movement import length, walk, way_within
from combatlog.rules.action_points.pieces import Activity, piece
from combatlog.rules.action_points.tables import FULL_SPRINT_METRES, SPRINT_METRES
from combatlog.rules.engine.grid import grid_of
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Until, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant

SPRINTING = "action_points:condition:sprinting"
SOMEWHERE = frozenset({Part.DESTINATION})


@piece
class Step(Activity):
    """Move up to 4 m a round for free; this is not an action."""

    name = "step"
    cost = "free"
    takes = SOMEWHERE

    def require(self, battle: Battle, actor: Combatant) -> None:
        require_able(actor)
        if actor.economy.left(METRES) == 0:
            raise Refusal(
                "move/no-metres-left",
                f"{actor.name} has no free metres left this round; moving farther takes an action.",
                who=actor.id,
                resource=METRES,
                needed=1,
                available=0,
            )

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        way = way_within(table, actor, declared, actor.economy.left(METRES))
        table.spend(actor, METRES, length(grid_of(table.battle.map), way), self.name)
        walk(table, actor, way)


@piece
class Move(Action):
    """Move up to 9 m."""

    name = "move"
    options = Paid
    takes = SOMEWHERE

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        way = way_within(table, actor, declared, SPRINT_METRES)
        return Deed(Paid.read(declared.options), lambda: walk(table, actor, way))


@piece
class FullSprint(Action):
    """Sprint up to 25 m and do nothing else this round."""

    name = "full_sprint"
    options = Paid
    takes = SOMEWHERE

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if actor.economy.left(ACTIONS):
            raise Refusal(
                "move/already-acted",
                f"{actor.name} has already acted, and a full sprint takes the whole round; "
                f"it can still move up to {SPRINT_METRES} m.",
                who=actor.id,
            )

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> Deed:
        way = way_within(table, actor, declared, FULL_SPRINT_METRES)

        def sprint() -> None:
            until = Until(moment=UntilMoment.ROUND_END)
            table.apply_condition(actor, SPRINTING, source=self.ref, owner=actor.id, until=until)
            walk(table, actor, way)

        return Deed(Paid.read(declared.options), sprint)
