"""Attacking: as an action in the figure's own activation, or as an interruption that the GM allows."""

from __future__ import annotations

from pydantic import Field

from combatlog.rules.engine.options import Options, Part
from combatlog.rules.engine.refusal import Refusal, choices, listing, suggest
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.activity import Activity, check_not_stunned
from combatlog.rules.skirmish.attack import resolve_attack
from combatlog.rules.skirmish.board import Space, read_space
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.sheet import is_in_play
from combatlog.rules.skirmish.targeting import obstacle_to_target, target_spaces, targets_of
from combatlog.rules.skirmish.vocabulary import ACTIONS, ATTACKS
from ledger.events import Declared, Position
from projections.battle import Battle
from projections.combatant import Combatant


class Aiming(Options):
    space: Space | None = Field(
        default=None, description="which space of a large target to aim at, as 3,2; by default the nearest one"
    )


@piece
class AttackAction(Activity):
    """Spend an action to attack a target, once per activation."""

    name = "attack"
    cost = {ACTIONS: 1, ATTACKS: 1}
    takes = frozenset({Part.TARGET})
    options = Aiming

    def check(self, battle: Battle, actor: Combatant) -> None:
        check_can_attack(battle, actor)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        aimed_at(battle, actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        target, space = aimed_at(table.battle, actor, declared)
        resolve_attack(table, actor, target, space=space)


@piece
class Interrupt(Activity):
    """Attack outside the figure's own activation, if the GM says that a card or an ability allows it."""

    name = "interrupt"
    in_activation = False
    takes = frozenset({Part.TARGET})
    options = Aiming

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
            "attack/no-target", f"{actor.name} can target nobody from its space; move it first.", who=actor.id
        )


def aimed_at(battle: Battle, actor: Combatant, declared: Declared) -> tuple[Combatant, Position | None]:
    """The target, and the one of its spaces that was named, if it can be aimed at."""
    target, named = target_in(battle, actor, declared), Aiming.read(declared.options).space
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
    """The one target that was named, if it can be one."""
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
