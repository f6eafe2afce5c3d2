"""Attacking and moving: as an action, as an interrupt that the GM allows, and with movement points."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.grid.visible_paths import as_seen, left_out, require_clear
from combatlog.rules.engine.options_and_validation import DeclaredParts, Options, Part
from combatlog.rules.engine.refusal import Refusal, choices, listing, suggest
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.actions.activate import (
    SkirmishActivity,
    check_can_leave,
    check_not_stunned,
    check_side_active,
)
from combatlog.rules.skirmish.attack import resolve_attack
from combatlog.rules.skirmish.board import Space, read_space, spaces_at, spaces_of
from combatlog.rules.skirmish.movement import BoardStep, walk, way
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.sheet import figure_sheet, is_in_play, speed_of
from combatlog.rules.skirmish.targeting import obstacle_to_target, target_spaces, targets_of
from combatlog.rules.skirmish.vocabulary import ACTIONS, ATTACKS, HALTED, MOVEMENT
from ledger.events import Declared, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted


class AttackSpaceOptions(Options):
    space: Space | None = Field(
        default=None, description="which space of a large target to aim at, as 3,2; by default the nearest one"
    )


@piece
class AttackAction(SkirmishActivity):
    """Spend an action to attack a target, once per activation."""

    name = "attack"
    cost = {ACTIONS: 1, ATTACKS: 1}
    takes = frozenset({Part.TARGET})
    options = AttackSpaceOptions

    def check(self, battle: Battle, actor: Combatant) -> None:
        check_can_attack(battle, actor)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        aimed_at(battle, actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target, space = aimed_at(table.battle, actor, declared)
        resolve_attack(table, actor, target, space=space)


@piece
class InterruptAction(SkirmishActivity):
    """Attack outside the figure's own activation, if the GM says that a card or an ability allows it."""

    name = "interrupt"
    in_activation = False
    takes = frozenset({Part.TARGET})
    options = AttackSpaceOptions

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not is_in_play(actor):
            raise Refusal("turn/cannot-act", f"{actor.name} is not on the map; choose a figure that is.", who=actor.id)
        if battle.clock.turn == actor.id:
            raise Refusal(
                "attack/own-activation",
                f"It is {actor.name}'s own activation, so it can attack without interrupting.",
                who=actor.id,
            )
        check_can_attack(battle, actor)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        if declared.by != "gm":
            raise Refusal(
                "attack/not-allowed",
                f"Only the GM can declare that a figure interrupts, not {declared.by}.",
                who=actor.id,
                needed="gm",
                found=declared.by,
            )
        aimed_at(battle, actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target, space = aimed_at(table.battle, actor, declared)
        resolve_attack(table, actor, target, space=space)

    def note(self, battle: Battle, actor: Combatant) -> str:
        return "only the GM can declare it"


def check_can_attack(battle: Battle, actor: Combatant) -> None:
    check_not_stunned(actor, "attack")
    if not targets_of(battle, actor):
        raise Refusal(
            "attack/no-target", f"{actor.name} has no possible target from its space; move it first.", who=actor.id
        )


def aimed_at(battle: Battle, actor: Combatant, declared: Declared) -> tuple[Combatant, Position | None]:
    """The declared target and space. Refuses a space that the attacker cannot aim at."""
    target, named = target_in(battle, actor, declared), AttackSpaceOptions.read(declared.options).space
    if named is None:
        return target, None
    space, possible = read_space(named), target_spaces(battle, actor, target)
    if space not in possible:
        names = [f"{x},{y}" for x, y in possible]
        raise Refusal(
            "attack/space",
            f"{actor.name} cannot aim at {named}; the spaces of {target.name} that it can aim at are {listing(names)}.",
            who=actor.id,
            target=target.id,
            found=named,
            available=names,
        )
    return target, space


def target_in(battle: Battle, actor: Combatant, declared: Declared) -> Combatant:
    """The declared target. Refuses none, several, or one that cannot be attacked."""
    possible = [target.id for target in targets_of(battle, actor)]
    instead = f"{actor.id} can target {choices(possible)}"
    if len(declared.targets) != 1:
        raise Refusal(
            "attack/one-target",
            f"An attack has exactly one target; {instead}.",
            who=actor.id,
            needed=1,
            found=list(declared.targets),
            available=possible,
        )
    (name,) = declared.targets
    target = battle.combatants.get(name)
    if target is None:
        raise Refusal(
            "declaration/unknown-combatant",
            f"There is no {name!r} in this skirmish; {instead}.",
            who=actor.id,
            target=name,
            available=possible,
            suggestions=suggest(name, possible),
        )
    if obstacle := obstacle_to_target(battle, actor, target):
        raise Refusal("attack/target", f"{obstacle}; {instead}.", who=actor.id, target=name, available=possible)
    return target


class WalkOptions(Options):
    turn: bool = Field(default=False, description="whether a large figure ends up with its base turned 90 degrees")


@piece
class MoveAction(SkirmishActivity):
    """Spend an action to gain movement points equal to the figure's speed; with a destination, walk there at once."""

    name = "move"
    cost = {ACTIONS: 1}
    takes = frozenset({Part.DESTINATION})
    options = WalkOptions

    def check_said(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> None:
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
class WalkAction(SkirmishActivity):
    """Walk to a space with movement points that the figure has left, in its own activation or a friend's."""

    name = "walk"
    in_activation = False
    takes = frozenset({Part.DESTINATION})
    options = WalkOptions

    def check_said(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> None:
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
            f"{actor.name} has pushed figures aside, so it cannot move again in this activation.",
            who=actor.id,
            condition=HALTED,
        )


def _check_turn(actor: Combatant, said: DeclaredParts) -> None:
    across, down = figure_sheet(actor).base
    if WalkOptions.read(said.options).turn and (across == down or said.destination is None):
        why = "has a square base and never turns" if across == down else "only turns while it moves; name a destination"
        raise Refusal("move/turn", f"{actor.name} {why}.", who=actor.id, size=figure_sheet(actor).size)


def _steps(battle: Battle, actor: Combatant, declared: Declared) -> list[BoardStep]:
    seen = as_seen(battle, actor, declared)
    steps = way(seen, actor, declared.destination, WalkOptions.read(declared.options).turn)
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
            f"The path takes {counted(cost, 'movement point')}, and {actor.name} has {left}; choose a nearer space.",
            who=actor.id,
            resource=MOVEMENT,
            position=goal,
            needed=cost,
            available=left,
        )
