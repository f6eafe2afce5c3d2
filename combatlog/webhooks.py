"""Webhooks: URLs to which a service delivers the events of a fight, as a seat sees it."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Self
from urllib.parse import urlsplit
from uuid import UUID, uuid4, uuid5

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from combatlog.argument_checks import ChecksArguments
from combatlog.ledger import reference_of
from combatlog.messages import made
from combatlog.seats import chosen
from ledger.errors import Problem
from ledger.json_shapes import JsonShape
from ledger.store import seats_and_webhooks as stored
from ledger.store.seats_and_webhooks import StoredWebhook
from projections.views import Role, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from combatlog.ledger import Ledger, Reference
    from combatlog.messages.ledger_commands import AddWebhook, RemoveWebhook

MOST = 20
"""Webhooks that a fight can have."""
_LONGEST_URL = 2000


class WebhookData(TypedDict):
    webhook: Annotated[str, Field(description="its id")]
    encounter: str
    url: str
    role: Annotated[str, Field(description="the seat whose view is delivered")]
    combatants: Annotated[list[str], Field(description="the ids of that seat's combatants")]
    by: Annotated[str, Field(description="who registered it")]
    created_at: str
    delivered: Annotated[int, Field(description="the last event that was delivered, as the seat counts")]
    failures: Annotated[int, Field(description="how many attempts in a row have failed")]
    problem: Annotated[str | None, Field(description="why the last attempt failed; null: it did not")]
    due_at: Annotated[str | None, Field(description="when it is tried again; null: the last attempt did not fail")]


class NewWebhookData(WebhookData):
    secret: Annotated[str, Field(description="what deliveries are signed with; shown once")]


@dataclass(frozen=True, slots=True)
class Webhook(JsonShape):
    document = WebhookData

    stored: StoredWebhook

    @property
    def id(self) -> UUID:
        return self.stored.id

    @property
    def seat(self) -> Seat:
        """Whose view is delivered."""
        return Seat(Role(self.stored.role), combatants=frozenset(self.stored.combatants))

    def to_json(self) -> dict[str, Any]:
        one = self.stored
        return {
            "webhook": str(one.id),
            "encounter": str(one.encounter),
            "url": one.url,
            "role": one.role,
            "combatants": list(one.combatants),
            "by": one.by,
            "created_at": one.created_at.isoformat(),
            "delivered": one.delivered,
            "failures": one.failures,
            "problem": one.problem,
            "due_at": one.due_at.isoformat() if one.failures else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Without its secret, which is shown only once."""
        told = {**data, "id": data["webhook"], "due_at": data["due_at"] or data["created_at"], "secret": ""}
        return cls(TypeAdapter(StoredWebhook).validate_python(told))


@dataclass(frozen=True, slots=True)
class WebhookWithSecret(JsonShape):
    """A webhook with the secret that its deliveries are signed with."""

    document = NewWebhookData

    webhook: Webhook
    secret: str

    def to_json(self) -> dict[str, Any]:
        return {**self.webhook.to_json(), "secret": self.secret}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(Webhook.from_json(data), data["secret"])


class Webhooks(ChecksArguments):
    """The webhooks of a ledger, as `ledger.store.seats_and_webhooks`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(
        self,
        fight: Reference,
        url: str,
        seat: str | Seat = "spectator",
        *,
        by: str = "gm",
        from_start: bool = False,
        command_id: UUID | None = None,
    ) -> WebhookWithSecret:
        """Deliver the events of a fight to a URL, from now on or from its start, as a seat sees it.

        A repeated `command_id` is refused, because the secret cannot be shown again.
        """
        self.list(fight)  # refused first if the seat may not do this
        check_url(url)
        chosen = self._ledger.fight(fight).seen_by(seat).seat
        _check_seat(chosen)
        said = made(
            "AddWebhook",
            encounter=reference_of(fight),
            url=url,
            role=chosen.role.value,
            combatants=tuple(sorted(chosen.combatants)),
            by=by,
            from_start=from_start,
        )
        return self._ledger.send(said, command_id=command_id)

    def list(self, fight: Reference) -> Sequence[Webhook]:
        """Oldest first."""
        return self._ledger.send(made("ListWebhooks", encounter=reference_of(fight)))

    def of(self, encounter: UUID) -> Sequence[Webhook]:
        """The same, by the fight's id."""
        return [Webhook(one) for one in stored.webhooks_of(self._ledger.store.recorder, encounter)]

    def remove(self, webhook: UUID | str, fight: Reference) -> Webhook:
        """Remove a webhook, by its id or the beginning of it. A delivery that is under way may still arrive."""
        meant = chosen("webhook", str(webhook), self.list(fight))
        return self._ledger.send(made("RemoveWebhook", encounter=reference_of(fight), webhook=meant.id))


def add_webhook(ledger: Ledger, said: AddWebhook, command_id: UUID | None = None) -> WebhookWithSecret:
    """See `Webhooks.add`, which sends this."""
    fight = ledger.fight(said.encounter)
    check_url(said.url)
    known = {one.id for one in ledger.webhooks.of(fight.id)}
    id = uuid5(command_id, "webhook") if command_id else uuid4()
    if len(known) >= MOST and id not in known:
        raise Problem("webhook/too-many", f"A fight has at most {MOST} webhooks; remove one first.", needed=MOST)
    view = fight.seen_by(Seat(Role(said.role), combatants=frozenset(said.combatants)))
    seat, seen, secret = view.seat, view.onlooker, secrets.token_urlsafe(32)
    made = stored.insert_webhook(
        ledger.store.recorder,
        id,
        fight.id,
        said.url,
        seat.role.value,
        tuple(sorted(seat.combatants)),
        secret=secret,
        by=said.by or "gm",
        delivered=0 if said.from_start else seen.last,
        considered=0 if said.from_start else seen.whole.seq,
    )
    if made is None:
        raise Problem(
            "webhook/repeated",
            "This command has added the webhook already, and showed its secret; if the secret is lost, remove the "
            "webhook and add another one.",
            webhook=str(id),
        )
    return WebhookWithSecret(Webhook(made), secret)


def remove_webhook(ledger: Ledger, said: RemoveWebhook, command_id: UUID | None = None) -> Webhook:
    meant = chosen("webhook", str(said.webhook), ledger.webhooks.of(ledger.fight(said.encounter).id))
    stored.delete_webhook(ledger.store.recorder, meant.id)
    return meant


def _check_seat(seat: Seat) -> None:
    if seat.role.value not in ("gm", "player", "spectator", "auditor"):
        raise Problem("webhook/seat", "A webhook has the view of a GM, a player, a spectator or an auditor.")


def check_url(url: str) -> None:
    """Refuse what is not a URL. Delivery decides which URLs are permitted."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.username is None
        sound = sound and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound or len(url) > _LONGEST_URL or not (url.isascii() and url.isprintable()) or " " in url:
        raise Problem(
            "webhook/url", "A webhook needs an address such as https://example.org/hook, without a name or password."
        )


def sign(secret: str, timestamp: int, body: bytes) -> str:
    """The header `X-Combatlog-Signature` for a body that is sent at this time."""
    made = hmac.new(secret.encode(), b"%d.%b" % (timestamp, body), sha256)
    return f"t={timestamp},v1={made.hexdigest()}"
