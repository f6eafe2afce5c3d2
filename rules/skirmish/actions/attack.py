"""Attacking: in the own activation as an action, or when the GM says that something interrupts."""

from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.options import Part
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Table
from rules.skirmish.activity import Activity, check_not_stunned
from rules.skirmish.attack import resolve_attack
from rules.skirmish.pieces import piece
from rules.skirmish.sheet import is_in_play
from rules.skirmish.targeting import obstacle_to_target, targets_of
from rules.skirmish.vocabulary import ACTIONS, ATTACKS


@piece
class AttackAction(Activity):
    """Spend an action to attack; once in an activation."""

    name = "attack"
    cost = {ACTIONS: 1, ATTACKS: 1}
    takes = frozenset({Part.TARGET})

    def check(self, battle: Battle, actor: Combatant) -> None:
        check_can_attack(battle, actor)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        target_in(battle, actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        resolve_attack(table, actor, target_in(table.battle, actor, declared))

    def note(self, battle: Battle, actor: Combatant) -> str:
        return choices(target.id for target in targets_of(battle, actor))


@piece
class Interrupt(Activity):
    """Attack outside the own activation, where the GM says that a card or an ability allows it."""

    name = "interrupt"
    in_activation = False
    takes = frozenset({Part.TARGET})

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not is_in_play(actor):
            raise Refusal("turn/cannot-act", f"{actor.id} is not on the map; choose a figure that is.")
        if battle.clock.turn == actor.id:
            raise Refusal("attack/own-activation", f"It is {actor.id}'s activation; it can simply `attack`.")
        check_can_attack(battle, actor)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        if declared.by != "gm":
            raise Refusal(
                "attack/not-allowed", "Only the GM can say that a figure interrupts; declare it with --by gm."
            )
        target_in(battle, actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        resolve_attack(table, actor, target_in(table.battle, actor, declared))

    def note(self, battle: Battle, actor: Combatant) -> str:
        return "only the GM declares it"


def check_can_attack(battle: Battle, actor: Combatant) -> None:
    check_not_stunned(actor, "attack")
    if not targets_of(battle, actor):
        raise Refusal("attack/no-target", f"{actor.id} can target nobody from where it stands; move first.")


def target_in(battle: Battle, actor: Combatant, declared: Declared) -> Combatant:
    """The one target that was named, if it can be one."""
    possible = choices(target.id for target in targets_of(battle, actor))
    if len(declared.targets) != 1:
        raise Refusal("attack/one-target", f"An attack has one target; name it with --target: {possible}.")
    target = battle.combatants.get(declared.targets[0])
    if target is None:
        raise Refusal("declaration/unknown-combatant", f"There is no {declared.targets[0]!r}; target {possible}.")
    if obstacle := obstacle_to_target(battle, actor, target):
        raise Refusal("attack/target", f"{obstacle[0].upper()}{obstacle[1:]}; it can target {possible}.")
    return target
