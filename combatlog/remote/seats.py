"""Seats and webhooks of fights behind a service, given and taken away by its GM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from combatlog.ledger import reference_of
from combatlog.remote.problems import local_only
from combatlog.seats import HeldSeat, Invitation, Seats, chosen_seat
from combatlog.webhooks import NewWebhook, Webhook, Webhooks, chosen_webhook
from projections.views import Seat

if TYPE_CHECKING:
    from combatlog.ledger import Reference
    from combatlog.remote.ledger import RemoteLedger


class RemoteSeats(Seats):
    _ledger: RemoteLedger

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
        body = {**_whose(wanted), "name": name, "delay": delay, "days": days}
        made = self._ledger.wire.post(_below(self._ledger, fight, "seats"), body, command_id or uuid4()).data
        return Invitation(HeldSeat.of_data(made), made["token"])

    def revoke(self, seat: UUID | str, fight: Reference | None = None) -> HeldSeat:
        chosen = chosen_seat(str(seat), self.list(fight))
        return HeldSeat.of_data(self._ledger.wire.delete(f"{_below(self._ledger, fight, 'seats')}/{chosen.id}"))


class RemoteWebhooks(Webhooks):
    _ledger: RemoteLedger

    def add(
        self,
        fight: Reference,
        url: str,
        seat: str | Seat = "spectator",
        *,
        by: str = "gm",
        from_start: bool = False,
        command_id: UUID | None = None,
    ) -> NewWebhook:
        if not self._ledger.seat.seat.sees_all:
            self.list(fight)  # the service says why not: that the seat has one view only is beside the point
        body = {**_whose(self._ledger.fight(fight).seat(seat)), "url": url, "by": by, "from_start": from_start}
        made = self._ledger.wire.post(_below(self._ledger, fight, "webhooks"), body, command_id or uuid4()).data
        return NewWebhook(Webhook.of_data(made), made["secret"])

    def remove(self, webhook: UUID | str, fight: Reference) -> Webhook:
        chosen = chosen_webhook(str(webhook), self.list(fight))
        return Webhook.of_data(self._ledger.wire.delete(f"{_below(self._ledger, fight, 'webhooks')}/{chosen.id}"))


def _whose(seat: Seat) -> dict[str, Any]:
    return {"role": seat.role.value, "combatants": sorted(seat.combatants)}


def _below(ledger: RemoteLedger, fight: Reference | None, what: str) -> str:
    if fight is None:
        raise local_only()
    return f"{ledger.path_of(reference_of(fight))}/{what}"
