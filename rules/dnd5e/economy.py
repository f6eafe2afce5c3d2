"""The resources of the two-level economy, and what a turn's start does to them."""

from __future__ import annotations

from ledger.events import Gauge
from projections.combatant import Combatant
from rules.refusal import Refusal
from rules.table import Table

ACTION = "action"
BONUS_ACTION = "bonus_action"
REACTION = "reaction"
ATTACKS = "attacks"
MOVEMENT = "movement"

IN_WORDS = {
    ACTION: "action",
    BONUS_ACTION: "bonus action",
    REACTION: "reaction",
    ATTACKS: "attack",
    MOVEMENT: "movement",
}


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
    for resource, amount in ((ACTION, 1), (BONUS_ACTION, 1), (REACTION, 1), (ATTACKS, 0), (MOVEMENT, speed)):
        pool = combatant.economy[resource]
        if pool.current != amount or pool.spent:
            table.reset(combatant, resource, amount, "turn start")


def require(combatant: Combatant, cost: dict[str, int]) -> None:
    """Refuse what the combatant cannot pay for."""
    for resource, amount in cost.items():
        left = combatant.economy.left(resource)
        if left < amount:
            words = IN_WORDS.get(resource, resource)
            raise Refusal(
                f"economy/no-{resource.replace('_', '-')}-left",
                f"{combatant.id} has no {words} left for that"
                + (f" ({left} of the {amount} it takes)" if left or amount > 1 else "")
                + "; `combatlog actions` shows what it can still do.",
            )


def pay(table: Table, combatant: Combatant, cost: dict[str, int], why: str) -> None:
    for resource, amount in cost.items():
        table.spend(combatant, resource, amount, why)
