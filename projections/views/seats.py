"""Seats: in which role somebody looks at a fight."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ledger.errors import Problem
from ledger.suggestions import choices, suggest

HEROES = "heroes"


class Role(StrEnum):
    GM = "gm"
    PLAYER = "player"
    """Of some combatants."""
    PLAYERS = "players"
    """All players of a side together, as around a common screen."""
    SPECTATOR = "spectator"
    AUDITOR = "auditor"


@dataclass(frozen=True, slots=True)
class Seat:
    role: Role
    combatants: frozenset[str] = frozenset()
    """Whom a player plays, by id."""
    side: str = HEROES
    """The side of the players."""

    @property
    def sees_all(self) -> bool:
        return self.role in (Role.GM, Role.AUDITOR)

    @property
    def words(self) -> str:
        """As it is read."""
        if self.role is Role.PLAYER:
            return f"{self.role}:{','.join(sorted(self.combatants))}"
        return f"{self.role}:{self.side}" if self.role is Role.PLAYERS and self.side != HEROES else self.role.value

    @staticmethod
    def names_a_role(text: str) -> bool:
        return text.partition(":")[0].strip() in [*Role]

    @classmethod
    def read(cls, text: str) -> Seat:
        """`gm`, `auditor`, `spectator`, `players`, `players:SIDE` or `player:COMBATANT,COMBATANT`."""
        name, colon, rest = (part.strip() for part in text.partition(":"))
        named = frozenset(part.strip() for part in rest.split(",") if part.strip())
        if name not in [*Role] or bool(colon) != bool(named) or not _fits(Role(name), named):
            raise _not_a_seat(text, name)
        role = Role(name)
        return cls(role, combatants=named) if role is Role.PLAYER else cls(role, side=rest or HEROES)


def _fits(role: Role, named: frozenset[str]) -> bool:
    if role is Role.PLAYER:
        return bool(named)
    return not named or role is Role.PLAYERS


def _not_a_seat(text: str, name: str) -> Problem:
    known = ["gm", "players", "players:SIDE", "a combatant's name", "spectator", "auditor"]
    return Problem(
        "view/unknown-seat",
        f"{text!r} is not a seat; it can be {choices(known)}.",
        name=text,
        available=known,
        suggestions=suggest(name, known),
    )


GM = Seat(Role.GM)


def whole_only(seat: str) -> Problem:
    """For what there is no view of."""
    return Problem(
        "view/whole-only",
        "The tables hold what everybody did, so they are only for those who see everything.",
        seat=seat,
    )
