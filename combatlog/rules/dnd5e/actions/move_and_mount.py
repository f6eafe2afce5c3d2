"""Move along a route, stand up, drop prone, mount and dismount."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

from combatlog.rules.dnd5e.battlemap.grapples_and_mounts import burden_of, get_off, get_on, held_by
from combatlog.rules.dnd5e.battlemap.movement import check_steps, make_room, settle, walk
from combatlog.rules.dnd5e.battlemap.paths import gait_at, path_costs, path_via, require_clear_path
from combatlog.rules.dnd5e.battlemap.space import AIRBORNE, RIDDEN, RIDING, level_of
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import (
    STEP,
    Gait,
    check_can_move,
    has_gait,
    movement_left,
    speed_of,
)
from combatlog.rules.dnd5e.combatant_state import afflict, can_act, end_condition, is_hostile
from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import MOVEMENT
from combatlog.rules.dnd5e.hit_points import PRONE
from combatlog.rules.dnd5e.pieces import Action, piece
from combatlog.rules.engine.grid.visible_paths import as_seen
from combatlog.rules.engine.options_and_validation import Options, Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

FLIGHT = "dnd5e:rule:flying"


class Route(NamedTuple):
    path: list[Position]
    gait: Gait
    cost: int
    """The total cost in feet, including `climb`."""
    climb: int
    """The cost of the change of altitude on top of the steps."""
    missing: int
    """How many feet of movement the mover lacks for it."""


def planned(
    battle: Battle,
    mover: Combatant,
    goal: Position | None,
    via: Sequence[Position] = (),
    gait: Gait | None = None,
    altitude: int | None = None,
    dragged: Sequence[Combatant] = (),
) -> Route:
    """The route with the given gait. By default on foot, or flying if the mover can and walking does not suffice."""
    is_up = bool(level_of(mover) or altitude)
    if gait is not None or is_up:
        return _route(battle, mover, goal, via, gait or Gait.FLY, altitude, dragged)
    if not has_gait(mover, Gait.FLY):
        return _route(battle, mover, goal, via, Gait.WALK, altitude, dragged)
    try:
        on_foot = _route(battle, mover, goal, via, Gait.WALK, altitude, dragged)
    except Refusal:
        return _route(battle, mover, goal, via, Gait.FLY, altitude, dragged)
    return _route(battle, mover, goal, via, Gait.FLY, altitude, dragged) if on_foot.missing else on_foot


def _route(
    battle: Battle,
    mover: Combatant,
    goal: Position | None,
    via: Sequence[Position],
    gait: Gait,
    altitude: int | None,
    dragged: Sequence[Combatant],
) -> Route:
    up = abs(altitude - STEP * level_of(mover)) if altitude is not None else 0
    stays = up > 0 and goal in (None, mover.position)
    path = [] if stays else path_via(battle, mover, via, goal, gait)
    burden = burden_of(mover, dragged)
    costs = [burden * cost for cost in path_costs(battle, mover, path, gait=gait)]
    climb = max(0, up - STEP * len(path))
    gaits = [gait_at(battle, mover, place, gait) for place in path]
    short = [spent + climb - movement_left(mover, how) for spent, how in zip(accumulate(costs), gaits, strict=True)]
    missing = max(0, climb - movement_left(mover, gait), *short)
    return Route(path, gait, sum(costs) + climb, climb, missing)


def check_way(battle: Battle, mover: Combatant, gait: Gait | None, altitude: int | None) -> None:
    """Refuse a mode of movement that the mover does not have."""
    wanted = Gait.FLY if altitude else gait
    if wanted is None or wanted is Gait.WALK:
        return
    if altitude and gait not in (None, Gait.FLY):
        raise Refusal("move/altitude", f"{mover.name} has to fly to get up there.", who=mover.id)
    if not has_gait(mover, wanted) or speed_of(mover, wanted) == 0:
        raise Refusal(
            "move/no-such-speed",
            f"{mover.name} cannot {wanted}; choose another way to move.",
            who=mover.id,
            what=wanted.value,
        )


def change_altitude(table: Table, mover: Combatant, cost: int, altitude: int | None, why: str) -> None:
    """Rise or descend before the steps, and pay the cost on top of them."""
    if altitude is None or altitude == STEP * level_of(mover):
        return
    if cost:
        table.spend(mover, MOVEMENT, cost, why, AIRBORNE)
    if altitude == 0:
        end_condition(table, mover, AIRBORNE, "landed")
    else:
        afflict(table, mover, AIRBORNE, source=FLIGHT, owner=mover.id, data={"feet": altitude})


def _as_squares(value: Any) -> Any:
    """Read squares as people write them: `3,2 4,2`."""
    return [square.split(",") for square in value.split()] if isinstance(value, str) else value


class MoveOptions(Options):
    by: Gait | None = Field(
        default=None, description="how: walk, fly or burrow; by default, walk, or fly if walking does not get there"
    )
    altitude: int | None = Field(
        default=None, ge=0, le=1000, multiple_of=5, description="the altitude at the end, in feet; 0 to land"
    )
    drag: bool = Field(default=False, description="drag along the creatures it has grappled, at half speed")
    via: Annotated[tuple[Position, ...], BeforeValidator(_as_squares)] = Field(
        default=(), max_length=100, description="squares to pass on the way, in order, such as 3,2 4,2"
    )


@piece
class MoveAlongPath(Action):
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
        route = _declared_route(table.battle, actor, declared, said, dragged)
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
        route = _declared_route(table.battle, actor, declared, said, dragged)
        change_altitude(table, actor, route.climb, said.altitude, self.name)
        walk(table, actor, route.path, self.name, gait=route.gait, dragged=dragged)
        make_room(table, actor)


def _declared_route(
    battle: Battle, actor: Combatant, declared: Declared, said: MoveOptions, dragged: list[Combatant]
) -> Route:
    seen = as_seen(battle, actor, declared)
    route = planned(seen, actor, declared.destination, said.via, said.by, said.altitude, dragged)
    require_clear_path(battle, seen, actor, route.path, route.gait)
    return route


def _in_tow(table: Table, actor: Combatant, said: MoveOptions) -> list[Combatant]:
    held = held_by(table.battle, actor) if said.drag else []
    if said.drag and not held:
        raise Refusal("move/nobody-held", f"{actor.name} has not grappled anyone to drag along.", who=actor.id)
    return held


@piece
class StandUp(Action):
    """Stand up from prone, for half your speed."""

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
    """Drop prone, at no cost."""

    name = "drop_prone"
    while_incapacitated = True
    tags = ("movement", "defense")

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if actor.has(PRONE):
            raise Refusal("drop-prone/already", f"{actor.name} is already prone.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        afflict(table, actor, PRONE, source=self.ref, owner=actor.id)


class MountOptions(Options):
    independent: bool = Field(default=False, description="whether the mount acts on its own, in its own turns")


class MountingAction(Action):
    tags = ("movement",)

    def price(self, actor: Combatant, options: dict[str, object]) -> dict[str, int]:
        return {MOVEMENT: speed_of(actor, Gait.WALK) // 2}


@piece
class Mount(MountingAction):
    """Get on a willing creature within 5 feet that is at least one size larger, for half your speed."""

    name = "mount"
    parts = frozenset({Part.TARGET})
    options = MountOptions

    def is_offered(self, battle: Battle) -> bool:
        turn = battle.combatants.get(battle.clock.turn or "")
        return turn is not None and any(fits(turn, other) for other in battle.present())

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        check_can_move(actor)
        if actor.has(RIDING):
            raise Refusal("mount/riding", f"{actor.name} is on a mount already; it can dismount.", who=actor.id)

        if actor.has(PRONE):
            raise Refusal("mount/prone", f"{actor.name} has to stand up before it can mount.", who=actor.id)

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target = _mount(table, actor, declared)
        if not fits(actor, target):
            raise Refusal(
                "mount/unfit",
                f"{actor.name} cannot ride {target.name}; a mount has to be willing, free, standing and at least "
                "one size larger.",
                who=actor.id,
                target=target.id,
            )
        if feet_between(actor, target) > 5:
            sentence = f"{target.name} is more than 5 feet away; move closer."
            raise Refusal("mount/too-far", sentence, who=actor.id, target=target.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        independent = MountOptions.read(declared.options).independent
        get_on(table, actor, table.combatant(declared.targets[0]), self.ref, independent=independent)


def _mount(table: Table, actor: Combatant, declared: Declared) -> Combatant:
    if len(declared.targets) != 1:
        sentence = f"Mount takes one target: the creature that {actor.name} mounts."
        raise Refusal("mount/one-target", sentence, who=actor.id, needed=1, found=list(declared.targets))
    return table.combatant(declared.targets[0])


def fits(rider: Combatant, mount: Combatant) -> bool:
    larger = sheet_of(mount).size.rank > sheet_of(rider).size.rank
    free = not mount.has(RIDDEN) and not mount.has(PRONE) and can_act(mount)
    return larger and free and mount is not rider and not is_hostile(rider, mount)


@piece
class Dismount(MountingAction):
    """Get off your mount, for half your speed."""

    name = "dismount"
    parts = frozenset()

    def is_offered(self, battle: Battle) -> bool:
        turn = battle.combatants.get(battle.clock.turn or "")
        return turn is not None and turn.has(RIDING)

    def check_state(self, battle: Battle, actor: Combatant) -> None:
        if not actor.has(RIDING):
            raise Refusal("mount/not-riding", f"{actor.name} is not on a mount.", who=actor.id)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        get_off(table, actor, "dismounted")
        if actor.position is not None:
            settle(table, actor, actor.position)
