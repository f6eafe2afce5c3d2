"""Webhooks of fights behind a service, added and removed by its GM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from combatlog.webhooks import NewWebhook, Webhook, Webhooks, chosen_webhook
from ledger.webhooks import StoredWebhook

if TYPE_CHECKING:
    from combatlog.ledger import Reference
    from combatlog.remote.ledger import RemoteLedger
    from projections.views import Seat


class RemoteWebhooks(Webhooks):
    def __init__(self, ledger: RemoteLedger) -> None:
        super().__init__(ledger)
        self._remote = ledger

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
        if not self._remote.seat.seat.sees_all:
            self.list(fight)  # the service says why not: that the seat has one view only is beside the point
        wanted = self._remote.fight(fight).seen_by(seat).seat
        body = {
            "url": url,
            "role": wanted.role.value,
            "combatants": sorted(wanted.combatants),
            "by": by,
            "from_start": from_start,
        }
        made = self._remote.wire.post(self._at(fight), body, command_id or uuid4()).data
        return NewWebhook(webhook_in(made), made["secret"])

    def list(self, fight: Reference) -> Sequence[Webhook]:
        return [webhook_in(one) for one in self._remote.wire.get(self._at(fight))]

    def remove(self, webhook: UUID | str, fight: Reference) -> Webhook:
        chosen = chosen_webhook(str(webhook), self.list(fight))
        return webhook_in(self._remote.wire.delete(f"{self._at(fight)}/{chosen.id}"))

    def _at(self, fight: Reference) -> str:
        return f"{self._remote.path_of(str(self._remote.fight(fight).id))}/webhooks"


def webhook_in(data: Mapping[str, Any]) -> Webhook:
    """Without its secret, which is told once."""
    created = datetime.fromisoformat(data["created_at"])
    return Webhook(
        StoredWebhook(
            id=UUID(data["webhook"]),
            encounter=UUID(data["encounter"]),
            url=data["url"],
            role=data["role"],
            combatants=tuple(data["combatants"]),
            secret="",
            by=data["by"],
            created_at=created,
            delivered=data["delivered"],
            failures=data["failures"],
            problem=data["problem"],
            due_at=datetime.fromisoformat(data["due_at"]) if data["due_at"] else created,
        )
    )
