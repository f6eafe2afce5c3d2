"""Moving: an action gives movement points, and walking spends them."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.options import Options, Part, Said
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.seen_ways import as_seen, left_out, require_clear
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.activity import Activity, check_can_leave, check_side_active
from combatlog.rules.skirmish.footprint import spaces_at, spaces_of
from combatlog.rules.skirmish.movement import Step, way
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.sheet import figure_sheet, speed_of
from combatlog.rules.skirmish.vocabulary import ACTIONS, HALTED, MOVEMENT
from combatlog.rules.skirmish.walking import walk
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted


class Going(Options):
    turn: bool = Field(default=False, description="whether a large figure ends up with its base turned by a quarter")


@piece
class Move(Activity):
    """Spend an action to gain movement points equal to the figure's speed; with a destination, walk there at once."""

    name = "move"
    cost = {ACTIONS: 1}
    takes = frozenset({Part.DESTINATION})
    options = Going

    def check_said(self, battle: Battle, actor: Combatant, said: Said) -> None:
        _check_turn(actor, said)

    def check(self, battle: Battle, actor: Combatant) -> None:
        _check_free_to_go(battle, actor)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        if declared.destination is not None:
            _check_way(battle, actor, declared, _left(actor) + speed_of(actor))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        table.gain(actor, MOVEMENT, speed_of(actor), self.name)
        if declared.destination is not None:
            _walk(table, actor, declared)

    def note(self, battle: Battle, actor: Combatant) -> str:
        return counted(speed_of(actor), "movement point")


@piece
class Walk(Activity):
    """Walk to a space with movement points that the figure has left, in its own activation or a friend's."""

    name = "walk"
    in_activation = False
    takes = frozenset({Part.DESTINATION})
    options = Going

    def check_said(self, battle: Battle, actor: Combatant, said: Said) -> None:
        _check_turn(actor, said)

    def check(self, battle: Battle, actor: Combatant) -> None:
        check_side_active(battle, actor)
        _check_free_to_go(battle, actor)
        if _left(actor) < 1:
            raise Refusal(
                "economy/no-mp-left",
                f"{actor.name} has no movement points left; moving, as an action, gives it {speed_of(actor)}.",
                who=actor.id,
                resource=MOVEMENT,
                needed=1,
                available=0,
            )

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        _check_way(battle, actor, declared, _left(actor))

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        _walk(table, actor, declared)

    def note(self, battle: Battle, actor: Combatant) -> str:
        return f"{counted(_left(actor), 'movement point')} left"


def _left(actor: Combatant) -> int:
    return actor.economy.left(MOVEMENT)


def _check_free_to_go(battle: Battle, actor: Combatant) -> None:
    check_can_leave(battle, actor)
    if actor.has(HALTED):
        raise Refusal(
            "figure/halted",
            f"{actor.name} has pushed figures aside and cannot move again in this activation.",
            who=actor.id,
            condition=HALTED,
        )


def _check_turn(actor: Combatant, said: Said) -> None:
    across, down = figure_sheet(actor).base
    if Going.read(said.options).turn and (across == down or said.destination is None):
        why = "has a square base and never turns" if across == down else "turns on the way to a place"
        raise Refusal("move/turn", f"{actor.name} {why}.", who=actor.id, size=figure_sheet(actor).size)


def _steps(battle: Battle, actor: Combatant, declared: Declared) -> list[Step]:
    seen = as_seen(battle, actor, declared)
    steps = way(seen, actor, declared.destination, Going.read(declared.options).turn)
    base = figure_sheet(actor).base
    for other in left_out(battle, seen):
        require_clear((space for step in steps for space in spaces_at(base, step.pose)), other, spaces_of(other))
    return steps


def _walk(table: Table, actor: Combatant, declared: Declared) -> None:
    walk(table, actor, _steps(table.battle, actor, declared))


def _check_way(battle: Battle, actor: Combatant, declared: Declared, left: int) -> None:
    goal = declared.destination
    cost = sum(step.cost for step in _steps(battle, actor, declared))
    if cost > left:
        raise Refusal(
            "economy/no-mp-left",
            f"The way there takes {counted(cost, 'movement point')}, and {actor.name} has {left}; "
            "choose a nearer space.",
            who=actor.id,
            resource=MOVEMENT,
            position=goal,
            needed=cost,
            available=left,
        )
