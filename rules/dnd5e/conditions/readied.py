from __future__ import annotations

from projections.combatant import Combatant
from rules.dnd5e.abilities.ready import READIED, Response, Trigger
from rules.dnd5e.attack import RESOLVED, make_attack, resolve_attack
from rules.dnd5e.magic import CAST
from rules.dnd5e.movement import STEPPED, find_path, path_costs, speed_of, walk
from rules.dnd5e.occasions import Attack, Casting, Occasion, Step
from rules.dnd5e.pieces import Condition, Reaction, piece
from rules.dnd5e.state import end_condition, is_dead, is_hostile
from rules.dnd5e.targeting import can_aim, weapon_named
from rules.grid import distance
from rules.refusal import Refusal
from rules.table import Table

KINDS: dict[Trigger, type[Occasion]] = {
    Trigger.APPROACHES: Step,
    Trigger.ATTACKS: Attack,
    Trigger.CASTS: Casting,
}


@piece
class Readied(Condition, Reaction[Occasion]):
    """Waits for an enemy's doing; then strikes or moves, with the reaction."""

    name = "readied"
    ends_when_incapacitated = True
    moments = (STEPPED, RESOLVED, CAST)

    def obstacle(self, occasion: Occasion, reactor: Combatant) -> str | None:
        data = reactor.conditions[READIED].data
        if not data:
            return f"a ruling says that {reactor.id} is ready, but not for what"
        if not isinstance(occasion, KINDS[Trigger(data["trigger"])]):
            return "that is not what it waits for"
        whom = data["of"]
        if occasion.subject.id not in whom if whom else not is_hostile(reactor, occasion.subject):
            return "that is not whom it waits for"
        if isinstance(occasion, Step) and not _comes_nearer(occasion, reactor):
            return f"{occasion.mover.id} does not come nearer"
        return _obstacle_to_response(occasion, reactor)

    def react(self, table: Table, occasion: Occasion, reactor: Combatant, paid: dict[str, int]) -> None:
        data = reactor.conditions[READIED].data
        end_condition(table, reactor, READIED, "used")
        if data["action"] == Response.STRIKE:
            weapon = weapon_named(reactor, data["weapon"])
            resolve_attack(table, make_attack(table.battle, reactor, occasion.subject, weapon))
        else:
            walk(table, reactor, find_path(table.battle, reactor, tuple(data["to"])), self.name, pays=False)


def _comes_nearer(step: Step, reactor: Combatant) -> bool:
    place = reactor.position
    return place is not None and distance(place, step.to) < distance(place, step.origin)


def _obstacle_to_response(occasion: Occasion, reactor: Combatant) -> str | None:
    data = reactor.conditions[READIED].data
    subject = occasion.subject
    if data["action"] == Response.STRIKE:
        weapon = weapon_named(reactor, data["weapon"])
        if is_dead(subject) or not can_aim(occasion.battle, reactor, subject, weapon):
            return f"{subject.id} cannot be struck from here"
        return None
    try:
        path = find_path(occasion.battle, reactor, tuple(data["to"]))
    except Refusal as refusal:
        return refusal.sentence
    if sum(path_costs(occasion.battle, reactor, path)) > speed_of(reactor):
        return "that is too far to move at once"
    return None
