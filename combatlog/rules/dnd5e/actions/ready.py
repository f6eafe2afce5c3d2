"""The Ready action, and the readied response to its trigger."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from combatlog.rules.dnd5e.attack.phases import RESOLVED, make_attack, resolve_attack
from combatlog.rules.dnd5e.attack.targeting import can_aim, check_named_once, weapon_named
from combatlog.rules.dnd5e.battlemap.movement import STEPPED, find_path, path_costs, speed_of, walk
from combatlog.rules.dnd5e.battlemap.paths import path_declared
from combatlog.rules.dnd5e.battlemap.space import steps_from
from combatlog.rules.dnd5e.combatant_state import afflict, end_condition, end_fleeting, is_dead, is_hostile
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import until_next_turn
from combatlog.rules.dnd5e.contexts import Attack, Casting, Context, MovementStep
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.economy import ACTION
from combatlog.rules.dnd5e.pieces import PIECES, Ability, Activity, Dnd5eCondition, Reaction, piece
from combatlog.rules.dnd5e.spells.casting import CAST, CONCENTRATING, HIGHEST_SLOT, Spell, hold
from combatlog.rules.engine.grid.visible_paths import as_seen
from combatlog.rules.engine.menu import obstacle as why_not
from combatlog.rules.engine.options_and_validation import DeclaredParts, Options, Part
from combatlog.rules.engine.refusal import Refusal, suggest
from combatlog.rules.engine.resolution.dry_run import hypothetical, reading_table
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared, Ref
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.views.visibility import is_unseen_by

READIED = "dnd5e:condition:readied"
NEVER = ("ready", "attack", "melee_attack", "ranged_attack", "dash", "disengage", "delay")
"""Activities that cannot be readied; readying a strike or a move takes the place of most of them."""
WRESTLING = ("grapple", "shove")
"""Uses of the Attack action other than a strike."""


class Trigger(StrEnum):
    """What an enemy has to do to trigger a readied action."""

    APPROACHES = "approaches"
    ATTACKS = "attacks"
    CASTS = "casts"


class Response(StrEnum):
    """What to do when triggered, besides other actions and spells."""

    STRIKE = "strike"
    MOVE = "move"


class ReadyOptions(Options):
    trigger: Trigger = Field(description="what an enemy has to do to trigger it")
    action: str = Field(
        default=Response.STRIKE.value,
        description="what to do then: strike, move, or the name of another action or spell",
    )
    slot: int | None = Field(
        default=None, ge=1, le=HIGHEST_SLOT, description="the level of the slot for a readied spell; its own if omitted"
    )
    whom: str | None = Field(
        default=None,
        alias="for",
        description="the target of another action or spell; the triggering combatant if omitted",
    )


@piece
class Ready(Ability):
    """Spend the action to do something later, as a reaction to an enemy that approaches, attacks or casts a spell.
    A strike, a move, another action or a spell. A spell is cast now and held with concentration until it is released.
    """

    name = "ready"
    cost = {ACTION: 1}
    tags = ("support",)
    options = ReadyOptions
    parts = frozenset(Part)

    def check_said(self, said: DeclaredParts) -> None:
        """A readied strike takes a weapon but no destination; a readied move takes a destination but no weapon."""
        check_named_once(self.name, said)
        response = ReadyOptions.read(said.options).action
        if response == Response.STRIKE and said.destination is not None:
            raise _in_vain(Response.STRIKE, Part.DESTINATION, said.destination, instead=Response.MOVE)
        if response == Response.MOVE and said.weapon is not None:
            raise _in_vain(Response.MOVE, Part.WEAPON, said.weapon, instead=Response.STRIKE)

    def price(self, actor: Combatant, options: Data) -> dict[str, int]:
        """A readied spell or special action is paid for immediately."""
        said = _read(options)
        other = readied_activity(actor, said.action)
        if other is None or not _takes_action(other):
            return self.cost
        return {**self.cost, **other.price(actor, _how(said))}

    def spent_for(self, actor: Combatant, declared: Declared) -> str:
        """A readied spell counts as cast with this turn's action."""
        other = readied_activity(actor, _read(declared.options).action)
        return other.ref if isinstance(other, Spell) else self.ref

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        for target in declared.targets:
            table.combatant(target)
        said = _read(declared.options)
        if said.action == Response.STRIKE:
            weapon_named(actor, declared.weapon)
        elif said.action == Response.MOVE:
            find_path(as_seen(table.battle, actor, declared), actor, declared.destination)
        else:
            _check_other(table.battle, actor, said.action)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        said = _read(declared.options)
        data: Data = {
            "trigger": said.trigger.value,
            "action": said.action,
            "of": list(declared.targets),
            "weapon": declared.weapon,
            "to": list(declared.destination) if declared.destination else None,
        }
        other, source = readied_activity(actor, said.action), self.ref
        if declared.as_seen:
            data["as_seen"] = True
        if other is not None:
            data |= {"for": said.whom, "how": _how(said)}
        if isinstance(other, Spell):
            source = other.ref  # it ends with the concentration on the spell
            if not hold(table, actor, other, _how(said)):
                return
        afflict(table, actor, READIED, source=source, owner=actor.id, until=until_next_turn(actor), data=data)


def readied_activity(actor: Combatant, name: str) -> Activity | None:
    """The readied action or spell, if it is neither a strike nor a move."""
    if name in (Response.STRIKE.value, Response.MOVE.value):
        return None
    loadout = sheet_of(actor).loadout
    ref = loadout.declared.get(name, "")
    known = loadout.by_ref.get(ref) or PIECES.get(ref)
    return known if isinstance(known, Activity) else None


def _takes_action(activity: Activity) -> bool:
    return activity.name not in WRESTLING


def _check_other(battle: Battle, actor: Combatant, name: str) -> None:
    """Refuse an activity that does not take an action, that the actor does not have, or that it cannot do now."""
    other = readied_activity(actor, name)
    possible = other is not None and name not in NEVER and other.is_held(actor)
    if other is None or not possible or not (name in WRESTLING or ACTION in other.price(actor, {})):
        known = [*Response, *WRESTLING, *(spell.name for spell in sheet_of(actor).loadout.spells)]
        raise Refusal(
            "ready/not-an-action",
            f"{actor.name} cannot ready {name!r}; ready a strike, a move, or something else that takes an action.",
            who=actor.id,
            what=name,
            suggestions=suggest(name, known),
        )
    if _takes_action(other):
        other.check_state(battle, actor)


def _how(said: ReadyOptions) -> Data:
    """The options for declaring the readied action."""
    return {"slot": said.slot} if said.slot is not None else {}


def _in_vain(response: Response, part: Part, found: object, instead: Response) -> Refusal:
    return Refusal(
        f"declaration/takes-no-{part}",
        f"A readied {response} takes no {part}; omit it, or ready a {instead}.",
        what="ready",
        part=part.value,
        found=found,
    )


def _read(options: Data) -> ReadyOptions:
    """Read the options. The trigger used to be optional, so older fights default to `approaches`."""
    return ReadyOptions.read({"trigger": Trigger.APPROACHES, **options})


MOVE_ACTION = "dnd5e:action:move"
KINDS: dict[Trigger, type[Context]] = {
    Trigger.APPROACHES: MovementStep,
    Trigger.ATTACKS: Attack,
    Trigger.CASTS: Casting,
}


@piece
class Readied(Dnd5eCondition, Reaction[Context]):
    """Carry out the readied strike, move, action or spell when it is triggered."""

    name = "readied"
    ends_when_incapacitated = True
    is_single = True
    moments = (STEPPED, RESOLVED, CAST)

    def obstacle(self, context: Context, reactor: Combatant) -> str | None:
        data = reactor.conditions[READIED].data
        if not data:
            return f"a ruling gave {reactor.name} this condition without saying what is readied"
        if not isinstance(context, KINDS[Trigger(data["trigger"])]):
            return "this is not its trigger"
        whom = data["of"]
        if context.subject.id not in whom if whom else not is_hostile(reactor, context.subject):
            return f"{context.subject.name} does not trigger it"
        if is_unseen_by(context.battle, reactor.side, context.subject):
            return f"{reactor.name} does not notice {context.subject.name}"
        if isinstance(context, MovementStep) and not _comes_nearer(context, reactor):
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
            path = path_declared(table.battle, reactor, _as_declared(context, reactor, MOVE_ACTION, data))
            walk(table, reactor, path, self.name, pays=False)


def _as_declared(context: Context, reactor: Combatant, ref: Ref, data: Data) -> Declared:
    """The readied action as a declaration, aimed at whoever triggered it unless another target was named."""
    whom = data.get("for") or context.subject.id
    return hypothetical(
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
    """Carry out an activity whose cost was paid when readied. Drops concentration if the spell needs none."""
    if not isinstance(other, Spell):
        other.perform(table, reactor, declared)
        return
    if not other.concentration:
        end_condition(table, reactor, CONCENTRATING, "released")
    end_fleeting(table, reactor, f"cast {other.title}", harmless=not other.is_harmful(table, reactor, declared))
    other.cast(table, reactor, declared)


def _comes_nearer(step: MovementStep, reactor: Combatant) -> bool:
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
        path = path_declared(context.battle, reactor, _as_declared(context, reactor, MOVE_ACTION, data))
    except Refusal as refusal:
        return refusal.sentence
    if sum(path_costs(context.battle, reactor, path)) > speed_of(reactor):
        return f"the destination is farther than {reactor.name} can move"
    return None
