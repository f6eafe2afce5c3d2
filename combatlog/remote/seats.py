"""Seats at fights behind a service: given, listed and taken away by its GM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from combatlog.remote.problems import local_only
from combatlog.seats import HeldSeat, Invitation, Seats, chosen_seat
from projections.views import Role, Seat

if TYPE_CHECKING:
    from combatlog.ledger import Reference
    from combatlog.remote.ledger import RemoteLedger


class RemoteSeats(Seats):
    def __init__(self, ledger: RemoteLedger) -> None:
        super().__init__(ledger)
        self._remote = ledger

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
        wanted = Seat.read(seat) if isinstance(seat, str) else seat
        body = {
            "role": wanted.role.value,
            "combatants": sorted(wanted.combatants),
            "name": name,
            "delay": delay,
            "days": days,
        }
        made = self._remote.wire.post(self._at(fight), body, command_id or uuid4()).data
        return Invitation(held_in(made), made["token"])

    def list(self, fight: Reference | None = None) -> Sequence[HeldSeat]:
        return [held_in(one) for one in self._remote.wire.get(self._at(fight))]

    def revoke(self, seat: UUID | str, fight: Reference | None = None) -> HeldSeat:
        chosen = chosen_seat(str(seat), self.list(fight))
        return held_in(self._remote.wire.delete(f"{self._at(fight)}/{chosen.id}"))

    def find(self, token: str) -> HeldSeat | None:
        raise local_only()

    def find_at(self, token: str, encounter: UUID) -> tuple[HeldSeat, int | None] | None:
        raise local_only()

    def _at(self, fight: Reference | None) -> str:
        if fight is None:
            raise local_only()
        return f"{self._remote.path_of(str(self._remote.fight(fight).id))}/seats"


def held_in(data: Mapping[str, Any]) -> HeldSeat:
    revoked = data["revoked_at"]
    return HeldSeat(
        UUID(data["seat"]),
        UUID(data["encounter"]) if data["encounter"] else None,
        Seat(Role(data["role"]), combatants=frozenset(data["combatants"])),
        data["name"],
        data["delay"],
        datetime.fromisoformat(data["created_at"]),
        datetime.fromisoformat(data["expires_at"]),
        datetime.fromisoformat(revoked) if revoked else None,
    )
