"""Seats: who may take part in a fight over a network, and as what. Each has a secret token, which is shown once."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Protocol, Self, TypeVar
from uuid import UUID, uuid4, uuid5

from pydantic import Field
from typing_extensions import TypedDict

from combatlog.argument_checks import ChecksArguments
from combatlog.messages import made
from ledger.errors import Problem, suggest
from ledger.json_shapes import JsonShape
from ledger.store import seats_and_webhooks as stored
from projections.views import Role, Seat

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from combatlog.ledger import Ledger, Reference
    from combatlog.messages.ledger_commands import Invite, RevokeSeat

TOKEN_BYTES = 32
"""256 bits cannot be guessed."""
LONGEST_DELAY = 24 * 3600
LONGEST_DAYS = 3650
_LONGEST_NAME = 80
_OF_A_FIGHT = (Role.GM, Role.PLAYER, Role.SPECTATOR, Role.AUDITOR)
_OF_ALL = (Role.GM, Role.AUDITOR)


class SeatData(TypedDict):
    seat: Annotated[str, Field(description="its id; not a secret")]
    encounter: Annotated[str | None, Field(description="its encounter; null: all of them")]
    role: Annotated[str, Field(description="`gm`, `player`, `spectator` or `auditor`")]
    combatants: Annotated[list[str], Field(description="the ids of the player's combatants")]
    name: Annotated[str | None, Field(description="the person who uses it")]
    delay: Annotated[int, Field(description="how many seconds later a spectator sees what happens")]
    created_at: str
    expires_at: str
    revoked_at: Annotated[str | None, Field(description="when it was revoked; null: it was not")]


class InvitationData(SeatData):
    token: Annotated[str, Field(description="the secret to send with each request; shown once")]
    link: Annotated[str, Field(description="the address to open in a browser")]


@dataclass(frozen=True, slots=True)
class HeldSeat(JsonShape):
    """A seat that was given to a person."""

    document = SeatData

    id: UUID
    encounter: UUID | None
    """Its fight; None: every fight, as for the operator of a server."""
    seat: Seat
    """The role, with the combatants of a player."""
    name: str | None
    """The person who uses it."""
    delay: int
    """How many seconds later a spectator sees what happens."""
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None

    @property
    def by(self) -> str | None:
        """The name that is recorded for what this seat does; None: that of the combatant."""
        return self.name or ("gm" if self.seat.role is Role.GM else None)

    def is_at(self, encounter: UUID) -> bool:
        return self.encounter is None or self.encounter == encounter

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": str(self.id),
            "encounter": str(self.encounter) if self.encounter is not None else None,
            "role": self.seat.role.value,
            "combatants": sorted(self.seat.combatants),
            "name": self.name,
            "delay": self.delay,
            "created_at": self.created_at.isoformat(),
            "expires_at": self.expires_at.isoformat(),
            "revoked_at": self.revoked_at.isoformat() if self.revoked_at is not None else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        seat = Seat(Role(data["role"]), combatants=frozenset(data["combatants"]))
        given, until = (datetime.fromisoformat(data[f"{done}_at"]) for done in ("created", "expires"))
        revoked = datetime.fromisoformat(data["revoked_at"]) if data["revoked_at"] else None
        encounter = UUID(data["encounter"]) if data["encounter"] else None
        return cls(UUID(data["seat"]), encounter, seat, data["name"], data["delay"], given, until, revoked)


@dataclass(frozen=True, slots=True)
class Invitation(JsonShape):
    """A new seat with its token. The token cannot be shown again, because only its hash is stored."""

    document = InvitationData

    seat: HeldSeat
    token: str

    def to_json(self) -> dict[str, Any]:
        return {**self.seat.to_json(), "token": self.token}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(HeldSeat.from_json(data), data["token"])


class Seats(ChecksArguments):
    """The seats of a ledger, as `ledger.store.seats_and_webhooks`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def invite(
        self,
        seat: str | Seat,
        fight: Reference | None = None,
        *,
        name: str | None = None,
        delay: int = 0,
        days: int = 30,
        command_id: UUID | None = None,
    ) -> Invitation:
        """Create a seat at one fight: `gm`, `player:NAME,NAME`, `spectator` or `auditor`.

        Without a fight it is a seat at all of them, which only a GM and an auditor can have. `delay` is for spectators,
        in seconds. The seat expires after so many `days`. A repeated `command_id` is refused, because the token cannot
        be shown again.
        """

        wanted = Seat.read(seat) if isinstance(seat, str) else seat
        _check(wanted, _OF_A_FIGHT if fight is not None else _OF_ALL, name, delay, days)
        said = made(
            "Invite",
            encounter=_reference(fight),
            role=wanted.role.value,
            combatants=tuple(sorted(wanted.combatants)),
            name=name,
            delay=delay,
            days=days,
        )
        return self._ledger.send(said, command_id=command_id)

    def list(self, fight: Reference | None = None) -> Sequence[HeldSeat]:
        """The seats at a fight and those at all fights, oldest first, including revoked and expired ones."""

        if fight is None:
            return self.at(None)
        return self._ledger.send(made("ListSeats", encounter=_reference(fight)))

    def at(self, encounter: UUID | None) -> Sequence[HeldSeat]:
        """The same, by the fight's id."""
        return [_held(one) for one in stored.seats_at(self._ledger.store.recorder, encounter)]

    def revoke(self, seat: UUID | str, fight: Reference | None = None) -> HeldSeat:
        """Revoke a seat at once, by its id or the beginning of it. Doing so twice is harmless."""

        meant = chosen("seat", str(seat), self.list(fight))
        return self._ledger.send(made("RevokeSeat", encounter=_reference(fight), seat=meant.id))

    def still_held(self, seats: Collection[UUID]) -> set[UUID]:
        """The ids of those seats that were not revoked and have not expired."""
        return stored.still_held(self._ledger.store.recorder, [*seats])

    def find(self, token: str) -> HeldSeat | None:
        """The seat of a token; None if it does not exist, was revoked or has expired."""
        found = stored.seat_with(self._ledger.store.recorder, token)
        return _held(found) if found is not None else None

    def find_at(self, token: str, encounter: UUID) -> tuple[HeldSeat, int | None] | None:
        """The same, with the seq of the fight's last event; None as the seq if there is no such fight."""
        found = stored.seat_and_head(self._ledger.store.recorder, token, encounter)
        return (_held(found[0]), found[1]) if found is not None else None

    def find_all_at(self, asked: Sequence[tuple[str, UUID]]) -> dict[tuple[str, UUID], tuple[HeldSeat, int | None]]:
        """The same for several tokens and encounters, in one round trip; invalid tokens are omitted."""
        found = stored.seats_and_heads(self._ledger.store.recorder, asked)
        return {one: (_held(seat), head) for one, (seat, head) in found.items()}


def give_seat(ledger: Ledger, said: Invite, command_id: UUID | None = None) -> Invitation:
    """See `Seats.invite`, which sends this."""
    wanted = Seat(Role(said.role), combatants=frozenset(said.combatants))
    fight = ledger.fight(said.encounter) if said.encounter is not None else None
    _check(wanted, _OF_A_FIGHT if fight is not None else _OF_ALL, said.name, said.delay, said.days)
    taken = fight.seen_by(wanted).seat if fight is not None else wanted
    token, id = secrets.token_urlsafe(TOKEN_BYTES), uuid5(command_id, "seat") if command_id else uuid4()
    made = stored.insert_seat(
        ledger.store.recorder,
        id,
        fight.id if fight is not None else None,
        taken.role.value,
        tuple(sorted(taken.combatants)),
        name=said.name,
        delay=said.delay,
        days=said.days,
        token=token,
    )
    if made is None:
        raise Problem(
            "seat/repeated",
            "This command has created the seat already, and showed its token; if the token is lost, revoke the seat "
            "and create another one.",
            seat=str(id),
        )
    return Invitation(_held(made), token)


def revoke_seat(ledger: Ledger, said: RevokeSeat, command_id: UUID | None = None) -> HeldSeat:
    encounter = ledger.fight(said.encounter).id if said.encounter is not None else None
    stored.revoke_seat(ledger.store.recorder, chosen("seat", str(said.seat), ledger.seats.at(encounter)).id)
    return chosen("seat", str(said.seat), ledger.seats.at(encounter))


def _reference(fight: Reference | None) -> str | None:
    from combatlog.ledger import reference_of

    return reference_of(fight) if fight is not None else None


class _WithId(Protocol):
    @property
    def id(self) -> UUID: ...


_Known = TypeVar("_Known", bound=_WithId)


def chosen(kind: str, id: str, known: Sequence[_Known]) -> _Known:
    """The seat or webhook with this id, or whose id begins like this; there must be exactly one."""
    by_id = {str(one.id): one for one in known}
    found = [one for known_id, one in by_id.items() if id and known_id.startswith(id.lower())]
    if len(found) != 1:
        why = f"Several {kind}s begin with" if found else f"There is no {kind}"
        facts = {"name": id, "available": list(by_id), "suggestions": suggest(id, list(by_id))}
        raise Problem(f"{kind}/unknown", f"{why} {id!r}.", **facts)
    return found[0]


def _held(row: stored.StoredSeat) -> HeldSeat:
    seat = Seat(Role(row.role), combatants=frozenset(row.combatants))
    dates = (row.created_at, row.expires_at, row.revoked_at)
    return HeldSeat(row.id, row.encounter, seat, row.name, row.delay, *dates)


def _check(seat: Seat, possible: Sequence[Role], name: str | None, delay: int, days: int) -> None:
    if seat.role not in possible:
        raise Problem(
            "seat/role",
            f"There can be no seat {seat.role.value!r} here, only {', '.join(possible)}.",
            found=seat.role.value,
            available=list(possible),
        )
    if bool(seat.combatants) != (seat.role is Role.PLAYER):
        raise Problem(
            "seat/combatants",
            "A player's seat is for one combatant or more; other seats are for none.",
            found=sorted(seat.combatants),
        )
    if not 0 <= delay <= LONGEST_DELAY or (delay and seat.role is not Role.SPECTATOR):
        raise Problem(
            "seat/delay",
            f"Only a spectator can see a fight with a delay, of at most {LONGEST_DELAY} seconds.",
            found=delay,
            needed=LONGEST_DELAY,
        )
    if not 1 <= days <= LONGEST_DAYS:
        raise Problem("seat/days", f"A seat is for 1 to {LONGEST_DAYS} days.", found=days, needed=LONGEST_DAYS)
    if name is not None and not (name.strip() and name.isprintable() and len(name) <= _LONGEST_NAME):
        raise Problem(
            "seat/name", f"A person's name has 1 to {_LONGEST_NAME} characters that can be printed.", found=name
        )
