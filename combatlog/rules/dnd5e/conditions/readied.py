from __future__ import annotations

from combatlog.rules.dnd5e.abilities.ready import READIED, Response, Trigger, readied_activity
from combatlog.rules.dnd5e.attack import RESOLVED, make_attack, resolve_attack
from combatlog.rules.dnd5e.contexts import Attack, Casting, Context, Step
from combatlog.rules.dnd5e.magic import CAST, CONCENTRATING, Spell
from combatlog.rules.dnd5e.movement import STEPPED, path_costs, speed_of, walk
from combatlog.rules.dnd5e.paths import path_declared
from combatlog.rules.dnd5e.pieces import Activity, Condition, Reaction, piece
from combatlog.rules.dnd5e.space import steps_from
from combatlog.rules.dnd5e.state import end_condition, is_dead, is_hostile
from combatlog.rules.dnd5e.targeting import can_aim, weapon_named
from combatlog.rules.engine.imagined import imagined, reading_table
from combatlog.rules.engine.menu import obstacle as why_not
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from ledger.events import Data, Declared, Ref
from projections.combatant import Combatant
from projections.views.viewer import is_unseen_by

MOVE = "dnd5e:action:move"
KINDS: dict[Trigger, type[Context]] = {
    Trigger.APPROACHES: Step,
    Trigger.ATTACKS: Attack,
    Trigger.CASTS: Casting,
}


@piece
class Readied(Condition, Reaction[Context]):
    """Strike, move, act or release a spell, as readied, when the trigger comes."""

    name = "readied"
    ends_when_incapacitated = True
    is_single = True
    moments = (STEPPED, RESOLVED, CAST)

    def obstacle(self, context: Context, reactor: Combatant) -> str | None:
        data = reactor.conditions[READIED].data
        if not data:
            return f"a ruling made {reactor.name} ready without saying for what"
        if not isinstance(context, KINDS[Trigger(data["trigger"])]):
            return "this is not the trigger it waits for"
        whom = data["of"]
        if context.subject.id not in whom if whom else not is_hostile(reactor, context.subject):
            return f"it does not wait for {context.subject.name}"
        if is_unseen_by(context.battle, reactor.side, context.subject):
            return f"{reactor.name} does not notice {context.subject.name}"
        if isinstance(context, Step) and not _comes_nearer(context, reactor):
            return f"{context.mover.name} does not come closer"
        return _obstacle_to_response(context, reactor)

    def react(self, table: Table, context: Context, reactor: Combatant, paid: dict[str, int]) -> None:
        data = reactor.conditions[READIED].data
        end_condition(table, reactor, READIED, "used")
        other = readied_activity(reactor, data["action"])
        if other is not None:
            _carry_out(table, other, reactor, _as_declared(context, reactor, other.ref, data))
        elif data["action"] == Response.STRIKE:
            weapon = weapon_named(reactor, data["weapon"])
            resolve_attack(table, make_attack(table.battle, reactor, context.subject, weapon))
        else:
            path = path_declared(table.battle, reactor, _as_declared(context, reactor, MOVE, data))
            walk(table, reactor, path, self.name, pays=False)


def _as_declared(context: Context, reactor: Combatant, ref: Ref, data: Data) -> Declared:
    """The readied action as it would be declared now: against whoever sets it off, unless it is for somebody else."""
    whom = data.get("for") or context.subject.id
    return imagined(
        context.battle,
        reactor.id,
        ref,
        targets=(whom,) if data["to"] is None else (),
        destination=tuple(data["to"]) if data["to"] is not None else None,
        weapon=data["weapon"],
        options=data.get("how"),
        as_seen=data.get("as_seen"),
    )


def _carry_out(table: Table, other: Activity, reactor: Combatant, declared: Declared) -> None:
    """Its cost was paid when it was readied. A spell that needs no more concentration leaves its caster free."""
    if not isinstance(other, Spell):
        other.perform(table, reactor, declared)
        return
    if not other.concentration:
        end_condition(table, reactor, CONCENTRATING, "released")
    other.cast(table, reactor, declared)


def _comes_nearer(step: Step, reactor: Combatant) -> bool:
    if reactor.position is None:
        return False
    return steps_from(step.to, step.mover, reactor) < steps_from(step.origin, step.mover, reactor)


def _obstacle_to_response(context: Context, reactor: Combatant) -> str | None:
    data = reactor.conditions[READIED].data
    subject = context.subject
    other = readied_activity(reactor, data["action"])
    if other is not None:
        declared = _as_declared(context, reactor, other.ref, data)
        return why_not(lambda: other.check(reading_table(context.battle), reactor, declared))
    if data["action"] == Response.STRIKE:
        weapon = weapon_named(reactor, data["weapon"])
        if is_dead(subject) or not can_aim(context.battle, reactor, subject, weapon):
            return f"{reactor.name} cannot strike {subject.name} from here"
        return None
    try:
        path = path_declared(context.battle, reactor, _as_declared(context, reactor, MOVE, data))
    except Refusal as refusal:
        return refusal.sentence
    if sum(path_costs(context.battle, reactor, path)) > speed_of(reactor):
        return f"the destination is farther than {reactor.name} can move"
    return None
