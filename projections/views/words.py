"""Sentences for events of which a part is not seen. The table at the end says which function writes which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from projections.phrases import a, counted, name_of, place, who
from projections.text import short
from projections.views.health import Health
from projections.views.seen import (
    SeenAttack,
    SeenCards,
    SeenCheck,
    SeenHealed,
    SeenHurt,
    SeenInitiative,
    SeenJoined,
    SeenSave,
)

SOMEBODY = "somebody unseen"


def health_in_words(health: Health | None) -> str:
    """After the one who looks like that: `is bloodied`."""
    return f"is {health.value}" if health is not None else "is there"


def _joined(e: SeenJoined) -> str:
    where = f" at {place(e.position)}" if e.position else ""
    return f"{e.name} joins the {e.side}{where}"


def _initiative(e: SeenInitiative) -> str:
    return "Initiative: " + ", ".join(
        who(entry.combatant) + (f" {entry.value}" if entry.value is not None else "") for entry in e.order
    )


def _attack(e: SeenAttack) -> str:
    verb = "critically hits" if e.critical else "hits" if e.hit else "misses"
    weapon = f" with {name_of(e.weapon)}" if e.weapon else ""
    numbers = numbers_of(e)
    attacker = who(e.attacker) if e.attacker is not None else SOMEBODY
    return f"{attacker} {verb} {who(e.target)}{weapon}" + (f": {numbers}" if numbers else "")


def numbers_of(e: SeenAttack) -> str:
    """The roll, if it is seen. Whoever is attacked knows the other number."""
    return str(e.total) if e.total is not None else ""


def _save(e: SeenSave) -> str:
    outcome = "succeeds on" if e.success else "fails"
    total = f": {e.total}" if e.total is not None else ""
    return f"{who(e.saver)} {outcome} {a(e.save)} save against {short(e.source)}{total}"


def _check(e: SeenCheck) -> str:
    quality = f" ({name_of(e.quality)})" if e.quality else ""
    return f"{who(e.checker)} {'succeeds on' if e.success else 'fails'} {a(name_of(e.check))} check: {e.total}{quality}"


def _cards(e: SeenCards) -> str:
    origin = f" from the {e.origin}" if e.origin else ""
    to = f" to the {e.to}" if e.to else " out of the game"
    return f"{who(e.owner)} moves {counted(e.count, 'card')}{origin}{to}"


SEEN_WORDS: dict[type[Event], Callable[[Any], str]] = {
    SeenJoined: _joined,
    SeenInitiative: _initiative,
    SeenAttack: _attack,
    SeenSave: _save,
    SeenCheck: _check,
    SeenHurt: lambda e: f"{who(e.target)} takes damage and {health_in_words(e.health)}",
    SeenHealed: lambda e: f"{who(e.target)} is healed and {health_in_words(e.health)}",
    SeenCards: _cards,
}
