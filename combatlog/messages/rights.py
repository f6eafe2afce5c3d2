"""The rights of each kind of seat, in one table."""

from __future__ import annotations

from enum import StrEnum

from ledger.errors import Problem
from projections.views import Role, Seat


class Right(StrEnum):
    LOOK = "look on"
    """Read what the seat may see."""
    KNOW = "know everything"
    """Read what has no view for single seats, such as statistics and verifications."""
    ACT = "act for a combatant"
    CONSENT = "agree for a combatant"
    """Answer a proposal. Only players do; a GM who decides for them overrules them, and that is recorded."""
    OVERSEE = "oversee the fight"
    """Read what only a GM needs: plans, seats and webhooks. It records nothing."""
    DIRECT = "direct the fight"
    """Everything that a GM does: add combatants, start, rule, correct, fork, invite."""


RIGHTS: dict[Role, frozenset[Right]] = {
    Role.GM: frozenset(Right) - {Right.CONSENT},
    Role.PLAYER: frozenset({Right.LOOK, Right.ACT, Right.CONSENT}),
    Role.PLAYERS: frozenset({Right.LOOK}),
    Role.SPECTATOR: frozenset({Right.LOOK}),
    Role.AUDITOR: frozenset({Right.LOOK, Right.KNOW}),
}


def has(role: Role, right: Right) -> bool:
    return right in RIGHTS.get(role, frozenset())


def is_writing(right: Right) -> bool:
    return right in (Right.ACT, Right.CONSENT, Right.DIRECT)


_CALLED = {
    Role.GM: "A GM",
    Role.PLAYER: "A player",
    Role.PLAYERS: "The players' common screen",
    Role.SPECTATOR: "A spectator",
    Role.AUDITOR: "An auditor",
}


class Unseen(Problem):
    """A refusal that already tells only what the seat said or sees."""


def check_right(seat: Seat, right: Right) -> None:
    if not has(seat.role, right):
        raise Unseen(
            "seat/not-allowed", f"{_CALLED[seat.role]} cannot do this.", found=seat.role.value, needed=right.value
        )
