"""The resources of the two-level economy, and what a turn's start does to them."""

from __future__ import annotations

from ledger.events import UNRECORDED, Gauge, Ref, ResourceChanged
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.refusal import Refusal
from rules.engine.table import Table

ACTION = "action"
BONUS_ACTION = "bonus_action"
REACTION = "reaction"
ATTACKS = "attacks"
MOVEMENT = "movement"
DIAGONALS = "diagonals"
"""Diagonal steps of this turn; kept only where every second one costs double."""

TURN_START = "dnd5e:rule:turn_start"
"""What sets resources for a new turn."""

RENEWED = (ACTION, BONUS_ACTION, REACTION, ATTACKS, MOVEMENT, DIAGONALS)
"""What every turn brings anew."""

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
    """What a combatant has before its first turn: it can react, and nothing else."""
    return {
        ACTION: Gauge(current=0, maximum=1),
        BONUS_ACTION: Gauge(current=0, maximum=1),
        REACTION: Gauge(current=1, maximum=1),
        ATTACKS: Gauge(current=0),
        MOVEMENT: Gauge(current=0, maximum=speed),
    }


def begin_turn(table: Table, combatant: Combatant, speed: int) -> None:
    anew = {ACTION: 1, BONUS_ACTION: 1, REACTION: 1, ATTACKS: 0, MOVEMENT: speed}
    if DIAGONALS in combatant.economy:
        anew[DIAGONALS] = 0
    for resource, amount in anew.items():
        renew(table, combatant, resource, amount)


def renew(table: Table, combatant: Combatant, resource: str, amount: int) -> None:
    """Set a resource for a new turn; nothing is recorded where nothing changes."""
    pool = combatant.economy[resource]
    if pool.current != amount or pool.spent:
        table.reset(combatant, resource, amount, "turn start", TURN_START)


HOW_TO_GET_MORE = {
    ATTACKS: "the ability `attack` grants them for an action",
    MOVEMENT: "the ability `dash` adds some for an action",
}


def require(combatant: Combatant, cost: dict[str, int]) -> None:
    """Refuse what the combatant cannot pay for."""
    for resource, amount in cost.items():
        left = combatant.economy.left(resource)
        if left < amount:
            what = "attacks" if resource == ATTACKS else in_words(resource)
            short = f" ({left} of the {amount} it takes)" if left or amount > 1 else ""
            more = HOW_TO_GET_MORE.get(resource, "`combatlog actions` shows what it can still do")
            code = f"economy/no-{resource.replace('_', '-')}-left"
            raise Refusal(code, f"{combatant.id} has no {what} left for that{short}; {more}.")


def can_pay(combatant: Combatant, cost: dict[str, int]) -> bool:
    return all(combatant.economy.left(resource) >= amount for resource, amount in cost.items())


def pay(table: Table, combatant: Combatant, cost: dict[str, int], why: str, source: Ref) -> None:
    for resource, amount in cost.items():
        table.spend(combatant, resource, amount, why, source)


def changes_this_turn(battle: Battle, combatant: Combatant, resource: str) -> list[ResourceChanged]:
    """What happened to a resource since the turn began that is now under way."""
    pool = combatant.economy.get(resource)
    clock = battle.clock
    history = pool.history if pool else []
    return [change for change in history if (change.round, change.turn) == (clock.round, clock.turn)]


def spent_on(battle: Battle, change: ResourceChanged) -> Ref:
    """What a resource was spent on. Version 1 of the event does not say so, but its declaration does."""
    return change.source if change.source != UNRECORDED else battle.actions[change.declaration]


def took_attack_action(battle: Battle, combatant: Combatant) -> bool:
    return any(change.after > change.before for change in changes_this_turn(battle, combatant, ATTACKS))
