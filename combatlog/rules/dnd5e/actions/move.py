from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from combatlog.rules.dnd5e.economy import MOVEMENT
from combatlog.rules.dnd5e.holds import held_by
from combatlog.rules.dnd5e.movement import check_steps, make_room, walk
from combatlog.rules.dnd5e.paths import require_clear_path
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.dnd5e.routes import Route, change_altitude, check_way, planned
from combatlog.rules.dnd5e.speed import STEP, Gait, check_can_move, speed_of
from combatlog.rules.dnd5e.state import afflict, end_condition
from combatlog.rules.dnd5e.vitality import PRONE
from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.seen_ways import as_seen
from combatlog.rules.engine.table import Table
from ledger.events import Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant


def _as_squares(value: Any) -> Any:
    """Squares as people write them: `3,2 4,2`."""
    return [square.split(",") for square in value.split()] if isinstance(value, str) else value


class MoveOptions(Options):
    by: Gait | None = Field(
        default=None, description="how: walk, fly or burrow; by default, fly if it has to and can, else walk"
    )
    altitude: int | None = Field(
        default=None, ge=0, le=1000, multiple_of=5, description="how high it flies at the end, in feet; 0 to land"
    )
    drag: bool = Field(default=False, description="take along whom it holds, at half its speed")
    via: Annotated[tuple[Position, ...], BeforeValidator(_as_squares)] = Field(
        default=(), max_length=100, description="squares to pass on the way, in order, such as 3,2 4,2"
    )


@piece
class Move(Action):
    """Walk, swim, climb or fly to a square, one step at a time."""

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
                f"{actor.name} has no movement left this turn; Dash adds more.",
                who=actor.id,
                resource=MOVEMENT,
                needed=STEP,
                available=0,
            )

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        said = MoveOptions.read(declared.options)
        check_way(table.battle, actor, said.by, said.altitude)
        dragged = _in_tow(table, actor, said)
        route = _route(table.battle, actor, declared, said, dragged)
        check_steps(table.battle, actor, route.path)
        if route.missing:
            cost, left = route.cost, route.cost - route.missing
            raise Refusal(
                "economy/no-movement-left",
                f"That path costs {cost} feet and {actor.name} has {left} left; choose a nearer square, or Dash first.",
                who=actor.id,
                resource=MOVEMENT,
                needed=cost,
                available=left,
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        said = MoveOptions.read(declared.options)
        dragged = _in_tow(table, actor, said)
        route = _route(table.battle, actor, declared, said, dragged)
        change_altitude(table, actor, route.climb, said.altitude, self.name)
        walk(table, actor, route.path, self.name, gait=route.gait, dragged=dragged)
        make_room(table, actor)


def _route(battle: Battle, actor: Combatant, declared: Declared, said: MoveOptions, dragged: list[Combatant]) -> Route:
    seen = as_seen(battle, actor, declared)
    route = planned(seen, actor, declared.destination, said.via, said.by, said.altitude, dragged)
    require_clear_path(battle, seen, actor, route.path, route.gait)
    return route


def _in_tow(table: Table, actor: Combatant, said: MoveOptions) -> list[Combatant]:
    held = held_by(table.battle, actor) if said.drag else []
    if said.drag and not held:
        raise Refusal("move/nobody-held", f"{actor.name} holds nobody to drag along.", who=actor.id)
    return held


@piece
class StandUp(Action):
    """Get up from being prone, for half one's speed."""

    name = "stand_up"
    while_incapacitated = True
    tags = ("movement",)

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {MOVEMENT: speed_of(actor, Gait.WALK) // 2}

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(PRONE):
            raise Refusal("stand-up/not-prone", f"{actor.name} is already standing.", who=actor.id)
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
            raise Refusal("drop-prone/already", f"{actor.name} is already prone.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        afflict(table, actor, PRONE, source=self.ref, owner=actor.id)
