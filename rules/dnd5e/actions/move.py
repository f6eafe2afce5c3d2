from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ledger.events import Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.economy import MOVEMENT
from rules.dnd5e.movement import STEP, check_can_move, check_steps, path_costs, path_via, speed_of, walk
from rules.dnd5e.pieces import Action, piece
from rules.dnd5e.state import afflict, end_condition
from rules.dnd5e.vitality import PRONE
from rules.engine.options import Options, Part
from rules.engine.refusal import Refusal
from rules.engine.table import Table


def _as_squares(value: Any) -> Any:
    """Squares as people write them: `3,2 4,2`."""
    return [square.split(",") for square in value.split()] if isinstance(value, str) else value


class MoveOptions(Options):
    via: Annotated[tuple[Position, ...], BeforeValidator(_as_squares)] = Field(
        default=(), max_length=100, description="squares to pass on the way, in order, such as 3,2 4,2"
    )


@piece
class Move(Action):
    """Walk to a square, one step at a time."""

    name = "move"
    while_incapacitated = True
    tags = ("movement",)
    options = MoveOptions
    parts = frozenset({Part.DESTINATION})

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_can_move(actor)
        if actor.economy.left(MOVEMENT) <= 0:
            raise Refusal(
                "economy/no-movement-left",
                f"{actor.id} has no movement left this turn; Dash adds more.",
                who=actor.id,
                resource=MOVEMENT,
                needed=STEP,
                available=0,
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        path = _path(table, actor, declared)
        check_steps(table.battle, actor, path)
        cost, left = sum(path_costs(table.battle, actor, path)), actor.economy.left(MOVEMENT)
        if cost > left:
            raise Refusal(
                "economy/no-movement-left",
                f"That path costs {cost} feet and {actor.id} has {left} left; choose a nearer square, or Dash first.",
                who=actor.id,
                resource=MOVEMENT,
                needed=cost,
                available=left,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        walk(table, actor, _path(table, actor, declared), self.name)


def _path(table: Table, actor: Combatant, declared: Declared) -> list[Position]:
    via = MoveOptions.read(declared.options).via
    return path_via(table.battle, actor, via, declared.destination)


@piece
class StandUp(Action):
    """Get up from being prone, for half one's speed."""

    name = "stand_up"
    while_incapacitated = True
    tags = ("movement",)

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {MOVEMENT: speed_of(actor) // 2}

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(PRONE):
            raise Refusal("stand-up/not-prone", f"{actor.id} is already standing.", who=actor.id)
        check_can_move(actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, actor, PRONE, "stood up")


@piece
class DropProne(Action):
    """Lie down, at no cost."""

    name = "drop_prone"
    while_incapacitated = True
    tags = ("movement", "defense")

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(PRONE):
            raise Refusal("drop-prone/already", f"{actor.id} is already prone.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        afflict(table, actor, PRONE, source=self.ref, owner=actor.id)
