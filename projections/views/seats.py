"""Seats: the role in which a player or a spectator looks at a fight, and the event numbers that the seat counts by.

A seat numbers the events it sees 1, 2, 3 and so on, so that no gap reveals an unseen event. Every reference from one
event to another is translated as well. A reference to an unseen event leads to the first seen event of its declaration
or, if none is seen, to nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from ledger.errors import Problem, choices, suggest
from ledger.events import (
    ActionGranted,
    ActionRemoved,
    Amended,
    Event,
    Forked,
    Inserted,
    LinkRevealed,
    LinkWithheld,
    ReactionChosen,
    ReactionDeclined,
    Redone,
    Ruled,
    Undone,
)

HEROES = "heroes"


class Role(StrEnum):
    GM = "gm"
    PLAYER = "player"
    """Some combatants of one side."""
    PLAYERS = "players"
    """All players of a side together, as at a shared screen."""
    SPECTATOR = "spectator"
    AUDITOR = "auditor"


@dataclass(frozen=True, slots=True)
class Seat:
    role: Role
    combatants: frozenset[str] = frozenset()
    """The ids of the combatants that the player plays."""
    side: str = HEROES
    """The side of the players."""

    @property
    def sees_all(self) -> bool:
        return self.role in (Role.GM, Role.AUDITOR)

    @property
    def words(self) -> str:
        """The seat as `read` takes it."""
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
    """Refuse a seat that does not see everything, where there is no view of less."""
    return Problem(
        "view/whole-only",
        "The tables hold what every combatant did, so only seats that see everything may read them.",
        seat=seat,
    )


E = TypeVar("E", bound=Event)


class SeatNumbering:
    def __init__(self) -> None:
        self.recorded: list[int] = []
        """The seqs in the ledger of the events seen; the first is number 1."""
        self._events: dict[int, int] = {}
        self._groups: dict[int, int] = {}
        self._grants: dict[tuple[str, str], str] = {}

    @property
    def last(self) -> int:
        return len(self.recorded)

    def take(self, event: E) -> E:
        """Number the next event that is seen, and translate the numbers that it refers to."""
        number = self.last + 1
        self.recorded.append(event.seq)
        self._events[event.seq] = number
        changes: dict[str, Any] = {
            "seq": number,
            "declaration": self._groups.setdefault(event.declaration, number),
            "cause": self.of(event.cause),
            "recorded_at": event.recorded_at.replace(microsecond=0),
        }
        return event.model_copy(update=changes | self._references(event, number))

    def _references(self, event: Event, number: int) -> dict[str, Any]:
        match event:
            case Amended():
                return {"amends": self.group(event.amends), "retracts": self._all(event.retracts), "places": ()}
            case Inserted():
                return {"after": self.until(event.after), "retracts": self._all(event.retracts), "places": ()}
            case Undone():
                return {"retracts": self._all(event.retracts), "places": ()}
            case Redone():
                return {"undone": self.group(event.undone)}
            case ReactionChosen() | ReactionDeclined():
                return {"window": self.of(event.window) or self._groups[event.declaration]}
            case LinkRevealed() | LinkWithheld():
                return {"asked": self.of(event.asked) or self._groups[event.declaration]}
            case Ruled():
                return {"answers": self.of(event.answers)}
            case Forked():
                return {"at": self.until(event.at)}
            case ActionGranted():
                self._grants[event.owner, event.grant] = f"{event.action.rsplit(':', 1)[-1]}-{number}"
                return {"grant": self.grant(event.owner, event.grant)}
            case ActionRemoved():
                return {"grant": self.grant(event.owner, event.grant)}
        return {}

    def of(self, seq: int | None) -> int | None:
        """The number of an event; None: not seen."""
        return self._events.get(seq) if seq is not None else None

    def group(self, declaration: int) -> int | None:
        """The number of the first seen event of a declaration or correction; None: nothing is seen of it."""
        return self._groups.get(declaration)

    def until(self, seq: int) -> int:
        """How many events had been seen when an event was recorded, but at least 1."""
        return max(1, bisect_right(self.recorded, seq))

    def since(self, seq: int) -> int:
        """The number of the event with which something began; 1 if that was not seen."""
        return self._events.get(seq, 1)

    def grant(self, owner: str, grant: str) -> str:
        """The id of a granted action. The recorded one contains the number of an event."""
        return self._grants.get((owner, grant), "granted")

    def _all(self, declarations: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(number for seq in declarations if (number := self.group(seq)) is not None)
