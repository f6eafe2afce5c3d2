"""Moving: an action gives movement points, and walking spends them."""

from __future__ import annotations

from ledger.events import Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted
from rules.engine.options import Part
from rules.engine.refusal import Refusal
from rules.engine.table import Table
from rules.skirmish.activity import Activity, check_can_leave, check_side_active, why_held
from rules.skirmish.moments import answered_by_opponent
from rules.skirmish.movement import way
from rules.skirmish.pieces import piece
from rules.skirmish.sheet import figure_sheet, figures_in_play, is_in_play
from rules.skirmish.targeting import is_adjacent
from rules.skirmish.vocabulary import ACTIONS, MOVEMENT, Timing


@piece
class Move(Activity):
    """Spend an action to gain movement points equal to the figure's speed; with a destination, walk there at once."""

    name = "move"
    cost = {ACTIONS: 1}
    takes = frozenset({Part.DESTINATION})

    def check(self, battle: Battle, actor: Combatant) -> None:
        check_can_leave(battle, actor)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        if declared.destination is not None:
            _check_way(battle, actor, declared.destination, _left(actor) + figure_sheet(actor).speed)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, MOVEMENT, figure_sheet(actor).speed, self.name)
        if declared.destination is not None:
            _walk(table, actor, declared.destination)

    def note(self, battle: Battle, actor: Combatant) -> str:
        return counted(figure_sheet(actor).speed, "movement point")


@piece
class Walk(Activity):
    """Walk to a space with movement points that the figure has left, in its own activation or a friend's."""

    name = "walk"
    in_activation = False
    takes = frozenset({Part.DESTINATION})

    def check(self, battle: Battle, actor: Combatant) -> None:
        check_side_active(battle, actor)
        check_can_leave(battle, actor)
        if _left(actor) < 1:
            raise Refusal(
                "economy/no-mp-left",
                f"{actor.id} has no movement points left; moving, as an action, gives it {figure_sheet(actor).speed}.",
                who=actor.id,
                resource=MOVEMENT,
                needed=1,
                available=0,
            )

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        _check_way(battle, actor, declared.destination, _left(actor))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        _walk(table, actor, declared.destination)

    def note(self, battle: Battle, actor: Combatant) -> str:
        return f"{counted(_left(actor), 'movement point')} left"


def _left(actor: Combatant) -> int:
    return actor.economy.left(MOVEMENT)


def _walk(table: Table, actor: Combatant, goal: Position | None) -> None:
    for step, cost in way(table.battle, actor, goal):
        moved = table.move(actor, step, cost)
        with table.because_of(moved):
            table.spend(actor, MOVEMENT, cost, "walk")
            _come_near(table, actor)
        if not is_in_play(actor) or why_held(table.battle, actor) is not None:
            return  # whoever came near has stopped it


def _come_near(table: Table, actor: Combatant) -> None:
    """The other player can play cards for figures that are next to the one that has moved."""
    hostile = [figure for figure in figures_in_play(table.battle) if figure.side != actor.side]
    near = [figure for figure in hostile if is_adjacent(table.battle, figure, actor)]
    if near:
        answered_by_opponent(table, Timing.HOSTILE_ENTERS_ADJACENT, actor, near)


def _check_way(battle: Battle, actor: Combatant, goal: Position | None, left: int) -> None:
    cost = sum(cost for _, cost in way(battle, actor, goal))
    if cost > left:
        raise Refusal(
            "economy/no-mp-left",
            f"The way there takes {counted(cost, 'movement point')}, and {actor.id} has {left}; choose a nearer space.",
            who=actor.id,
            resource=MOVEMENT,
            position=goal,
            needed=cost,
            available=left,
        )
