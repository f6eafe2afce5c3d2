"""What a seat is being asked, as messages of its stream: to react, or to agree to a correction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic_core import to_json

from combatlog.rules.engine.status import asked_data
from projections.consent import Proposal
from projections.views import Onlooker


def questions(onlooker: Onlooker, proposal: Proposal | None) -> list[bytes]:
    """The questions that are open now, each as a message."""
    if not onlooker.seat.combatants:
        return []
    found = [*_reaction(onlooker), *_consent(onlooker, proposal)]
    return [b"event: %b\ndata: %b\n\n" % (kind, to_json(data)) for kind, data in found]


def _reaction(onlooker: Onlooker) -> Iterator[tuple[bytes, dict[str, Any]]]:
    if onlooker.whole.window is None:
        return
    asked = asked_data(onlooker.battle)
    if asked is not None and asked["reactor"] in onlooker.seat.combatants:
        yield b"asked", {**asked}


def _consent(onlooker: Onlooker, proposal: Proposal | None) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Which of the seat's combatants have not answered a proposal yet."""
    if proposal is None or not proposal.is_open:
        return
    waiting = [who for who in proposal.waiting if who in onlooker.seat.combatants]
    number = onlooker.numbers.of(proposal.seq)
    if waiting and number is not None:
        yield b"consent", {"proposal": number, "correction": proposal.message, "waiting": waiting}
