"""Moving (a free step, a sprint, a sprint for the whole round), resting, and delaying the turn."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.action_points.checks import (
    PaidAction,
    PreparedAction,
    begin_action,
    focus_holds,
    require_able,
    require_focus,
)
from combatlog.rules.action_points.economy_and_vitality import (
    ACTIONS,
    AP,
    FAT,
    METRES,
    PaymentOptions,
    PointCost,
    pay,
    queue_healing,
    require_payable,
)
from combatlog.rules.action_points.pieces import ActionPointsActivity, piece
from combatlog.rules.action_points.tables_and_formulas import FULL_SPRINT_METRES, SPRINT_METRES
from combatlog.rules.action_points.targeting_and_movement import length, walk, way_within
from combatlog.rules.action_points.turns import later_in_round, pass_turn
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.resolution.turns import act_after, require_later, waits_for
from ledger.events import Declared, Until, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

SPRINTING = "action_points:condition:sprinting"
SOMEWHERE = frozenset({Part.DESTINATION})


@piece
class FreeStep(ActionPointsActivity):
    """Move up to 4 m per round for free; this is not an action."""

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
class SprintAction(PaidAction):
    """Move up to 9 m."""

    name = "move"
    options = PaymentOptions
    takes = SOMEWHERE

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        way = way_within(table, actor, declared, SPRINT_METRES)
        return PreparedAction(PaymentOptions.read(declared.options), lambda: walk(table, actor, way))


@piece
class FullSprint(PaidAction):
    """Sprint up to 25 m and do nothing else this round."""

    name = "full_sprint"
    options = PaymentOptions
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

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        way = way_within(table, actor, declared, FULL_SPRINT_METRES)

        def sprint() -> None:
            until = Until(moment=UntilMoment.ROUND_END)
            table.apply_condition(actor, SPRINTING, source=self.ref, owner=actor.id, until=until)
            walk(table, actor, way)

        return PreparedAction(PaymentOptions.read(declared.options), sprint)


RESTING = "action_points:condition:resting"


class RestActionOptions(Options):
    ap: int = Field(ge=1, le=99, description="the AP to turn into FAT healing, 1 for 1")


@piece
class RestAction(ActionPointsActivity):
    """Turn AP into FAT healing; a combatant that rests does nothing else this round."""

    name = "rest"
    options = RestActionOptions
    cost = "any number of AP"

    def require(self, battle: Battle, actor: Combatant) -> None:
        require_able(actor)
        require_focus(actor)
        require_payable(actor, PointCost(ap=1))
        if actor.economy.left(ACTIONS):
            raise Refusal(
                "rest/already-acted",
                f"{actor.name} has already acted this round; it can rest in the next one.",
                who=actor.id,
            )

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        points = RestActionOptions.read(declared.options).ap
        require_payable(actor, PointCost(ap=points))
        if focus_holds(table, actor):
            _rest(table, actor, points, self.ref)


def _rest(table: Table, actor: Combatant, points: int, ref: str) -> None:
    pay(table, actor, PointCost(ap=points), "rest", ref)
    begin_action(table, actor, "rest", ref)
    queue_healing(table, actor, FAT, points, "rest", ref)
    if left := actor.economy.left(AP):
        table.lock(actor, AP, left, "resting", ref)
    table.apply_condition(actor, RESTING, source=ref, owner=actor.id, until=Until(moment=UntilMoment.ROUND_END))


DELAYED = "action_points:condition:delayed"


@piece
class DelayTurn(ActionPointsActivity):
    """Take the turn later in this round, after the target's turn or last. Possible once per round."""

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
