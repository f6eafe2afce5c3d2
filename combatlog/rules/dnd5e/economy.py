"""The action economy: action, bonus action, reaction and movement, and how a new turn renews them."""

from __future__ import annotations

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import UNRECORDED, Gauge, Ref, ResourceChanged
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

ACTION = "action"
BONUS_ACTION = "bonus_action"
REACTION = "reaction"
ATTACKS = "attacks"
MOVEMENT = "movement"
DIAGONALS = "diagonals"
"""Diagonal steps taken this turn; counted only under the rule that every second one costs double."""
OBJECTS_HANDLED = "objects_handled"
"""Objects handled this turn. The first is free, so there is no counter until one is handled."""

PROVOKED = "provoked"
"""Whether a combatant who can rage has attacked or taken damage since its last turn, which keeps a rage going."""

DASHES = "dashes"
"""Dashes taken this turn; counted only for combatants with a mode of movement faster than walking."""

TURN_START = "dnd5e:rule:turn_start"
"""The source of the changes that renew resources at the start of a turn."""

RENEWED = (ACTION, BONUS_ACTION, REACTION, ATTACKS, MOVEMENT, DIAGONALS, DASHES, OBJECTS_HANDLED)
"""Resources that are renewed at the start of every turn."""
PASSING = (*RENEWED, PROVOKED)
"""Resources that do not carry over to the next fight."""

IN_WORDS = {
    ACTION: "action",
    BONUS_ACTION: "bonus action",
    REACTION: "reaction",
    ATTACKS: "attack",
    MOVEMENT: "movement",
}


def slot(level: int) -> str:
    return f"slot_{level}"


def in_words(resource: str) -> str:
    if resource.startswith("slot_"):
        return f"level {resource.removeprefix('slot_')} slot"
    return IN_WORDS.get(resource, resource.replace("_", " "))


def starting(speed: int) -> dict[str, Gauge]:
    """The resources of a combatant before its first turn: only its reaction."""
    return {
        ACTION: Gauge(current=0, maximum=1),
        BONUS_ACTION: Gauge(current=0, maximum=1),
        REACTION: Gauge(current=1, maximum=1),
        ATTACKS: Gauge(current=0),
        MOVEMENT: Gauge(current=0, maximum=speed),
    }


def begin_turn(table: Table, combatant: Combatant, speed: int) -> None:
    renewed = {ACTION: 1, BONUS_ACTION: 1, REACTION: 1, ATTACKS: 0, MOVEMENT: speed}
    renewed |= {counter: 0 for counter in (DIAGONALS, DASHES, OBJECTS_HANDLED) if counter in combatant.economy}
    for resource, amount in renewed.items():
        renew(table, combatant, resource, amount)


def renew(table: Table, combatant: Combatant, resource: str, amount: int) -> None:
    """Set a resource for a new turn; records nothing if it does not change."""
    pool = combatant.economy[resource]
    if pool.current != amount or pool.spent:
        table.reset(combatant, resource, amount, "turn start", TURN_START)


NEXT_TURN = "it gets one back at the start of its next turn"
WHAT_TO_DO = {
    ACTION: NEXT_TURN,
    BONUS_ACTION: NEXT_TURN,
    REACTION: NEXT_TURN,
    ATTACKS: "take the Attack action first",
    MOVEMENT: "Dash adds more",
}


def require(combatant: Combatant, cost: dict[str, int]) -> None:
    """Refuse a cost that the combatant cannot pay."""
    for resource, amount in cost.items():
        left = combatant.economy.left(resource)
        if left < amount:
            raise Refusal(
                f"economy/no-{resource.replace('_', '-')}-left",
                f"{combatant.name} has {_shortfall(resource, left, amount)}; "
                f"{WHAT_TO_DO.get(resource, 'choose something else')}.",
                who=combatant.id,
                resource=resource,
                needed=amount,
                available=left,
            )


def _shortfall(resource: str, left: int, needed: int) -> str:
    what = "feet of movement" if resource == MOVEMENT else "attacks" if resource == ATTACKS else in_words(resource)
    if left == 0 and needed == 1:
        return f"no {what} left"
    return f"{left} {what} left and needs {needed}"


def can_pay(combatant: Combatant, cost: dict[str, int]) -> bool:
    return all(combatant.economy.left(resource) >= amount for resource, amount in cost.items())


def pay(table: Table, combatant: Combatant, cost: dict[str, int], why: str, source: Ref) -> None:
    for resource, amount in cost.items():
        table.spend(combatant, resource, amount, why, source)


def changes_this_turn(battle: Battle, combatant: Combatant, resource: str) -> list[ResourceChanged]:
    """The changes of a resource since the current turn began."""
    pool = combatant.economy.get(resource)
    clock = battle.clock
    recent = pool.recent if pool else ()
    return [change for change in recent if (change.round, change.turn) == (clock.round, clock.turn)]


def spent_on(battle: Battle, change: ResourceChanged) -> Ref:
    """What a resource was spent on. Version 1 of the event lacks this, so it comes from the declaration."""
    return change.source if change.source != UNRECORDED else battle.actions[change.declaration]


def took_attack_action(battle: Battle, combatant: Combatant) -> bool:
    return any(change.after > change.before for change in changes_this_turn(battle, combatant, ATTACKS))
