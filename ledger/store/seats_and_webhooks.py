"""The stored seats and webhooks of fights.

The table of seats holds only the SHA-256 of each token, so reading the table gives no access to a seat. A webhook row
holds the URL that is notified about a fight, how far it has been notified, and when to try again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

from psycopg.sql import SQL

from ledger.store.recorder import LedgerRecorder

_COLUMNS = SQL("seats.seat, encounter, role, combatants, name, delay, created_at, expires_at, revoked_at")
_FROM = SQL("FROM combatlog.seats LEFT JOIN combatlog.revoked_seats USING (seat)")
_WITH_TOKEN = SQL("SELECT {} {} WHERE token_hash = %s AND revoked_at IS NULL AND expires_at > now()").format(
    _COLUMNS, _FROM
)
_AT = SQL("SELECT {} {} WHERE encounter = %s OR encounter IS NULL ORDER BY created_at, seat").format(_COLUMNS, _FROM)
_HEAD = SQL("(SELECT max(originator_version) FROM combatlog.ledger_events WHERE originator_id = %s)")
_WITH_TOKEN_AND_HEAD = SQL(
    "SELECT {}, {} {} WHERE token_hash = %s AND revoked_at IS NULL AND expires_at > now()"
).format(_COLUMNS, _HEAD, _FROM)
_ALL_WITH_TOKEN_AND_HEAD = SQL(
    "SELECT asked.place, {}, (SELECT max(originator_version) FROM combatlog.ledger_events"
    " WHERE originator_id = asked.at)"
    " FROM unnest(%s::bytea[], %s::uuid[]) WITH ORDINALITY AS asked (token_hash, at, place)"
    " JOIN combatlog.seats USING (token_hash) LEFT JOIN combatlog.revoked_seats USING (seat)"
    " WHERE revoked_at IS NULL AND expires_at > now()"
).format(_COLUMNS)
_INSERT = SQL(
    "INSERT INTO combatlog.seats (seat, encounter, role, combatants, name, delay, token_hash, expires_at)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, now() + make_interval(days => %s))"
    " ON CONFLICT (seat) DO NOTHING RETURNING created_at, expires_at"
).format()
_STILL_HELD = SQL(
    "SELECT seats.seat {} WHERE seats.seat = ANY(%s) AND revoked_at IS NULL AND expires_at > now()"
).format(_FROM)
_REVOKE = SQL("INSERT INTO combatlog.revoked_seats (seat) VALUES (%s) ON CONFLICT DO NOTHING RETURNING seat").format()


@dataclass(frozen=True, slots=True)
class StoredSeat:
    id: UUID
    encounter: UUID | None
    """The encounter that the seat is for; None: all encounters."""
    role: str
    combatants: tuple[str, ...]
    name: str | None
    delay: int
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None


def hash_of(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def insert_seat(
    recorder: LedgerRecorder,
    id: UUID,
    encounter: UUID | None,
    role: str,
    combatants: tuple[str, ...],
    *,
    name: str | None,
    delay: int,
    days: int,
    token: str,
) -> StoredSeat | None:
    """Store a new seat; None if there is already a seat with this id."""
    values = (id, encounter, role, list(combatants), name, delay, hash_of(token), days)
    made = recorder.select(_INSERT, values)
    return StoredSeat(id, encounter, role, combatants, name, delay, *made[0]) if made else None


def seat_with(recorder: LedgerRecorder, token: str) -> StoredSeat | None:
    """The seat that a token is for, unless it was revoked or has expired."""
    return next(map(_seat, recorder.select(_WITH_TOKEN, (hash_of(token),))), None)


def seat_and_head(recorder: LedgerRecorder, token: str, encounter: UUID) -> tuple[StoredSeat, int | None] | None:
    """The seat of a token and the seq of an encounter's last event, in one round trip for clients that poll."""
    for *seat, head in recorder.select(_WITH_TOKEN_AND_HEAD, (encounter, hash_of(token))):
        return _seat(seat), head
    return None


def seats_and_heads(
    recorder: LedgerRecorder, asked: Sequence[tuple[str, UUID]]
) -> dict[tuple[str, UUID], tuple[StoredSeat, int | None]]:
    """The same for several tokens and encounters, still in one round trip. Invalid tokens are omitted."""
    hashes, encounters = [hash_of(token) for token, _ in asked], [encounter for _, encounter in asked]
    rows = recorder.select(_ALL_WITH_TOKEN_AND_HEAD, (hashes, encounters))
    return {asked[place - 1]: (_seat(seat), head) for place, *seat, head in rows}


def seats_at(recorder: LedgerRecorder, encounter: UUID | None) -> list[StoredSeat]:
    """The seats for an encounter and those for all encounters, oldest first, including revoked and expired ones."""
    return list(map(_seat, recorder.select(_AT, (encounter,))))


def still_held(recorder: LedgerRecorder, seats: list[UUID]) -> set[UUID]:
    """The seats that were not revoked and have not expired."""
    return {seat for (seat,) in recorder.select(_STILL_HELD, (seats,))}


def revoke_seat(recorder: LedgerRecorder, seat: UUID) -> bool:
    """Revoke a seat; False if it was already revoked."""
    return bool(recorder.select(_REVOKE, (seat,)))


def _seat(row: Any) -> StoredSeat:
    id, encounter, role, combatants, *rest = row
    return StoredSeat(id, encounter, role, tuple(combatants), *rest)


_WEBHOOK_COLUMNS = SQL(
    "webhook, encounter, url, role, combatants, secret, by, created_at, delivered, failures, problem, due_at"
)
_INSERT_WEBHOOK = SQL(
    "INSERT INTO combatlog.webhooks (webhook, encounter, url, role, combatants, secret, by, delivered, considered)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (webhook) DO NOTHING RETURNING {}"
).format(_WEBHOOK_COLUMNS)
_OF = SQL("SELECT {} FROM combatlog.webhooks WHERE encounter = %s ORDER BY created_at, webhook").format(
    _WEBHOOK_COLUMNS
)
_DELETE = SQL("DELETE FROM combatlog.webhooks WHERE webhook = %s RETURNING webhook").format()
_BEHIND = SQL(
    "considered < (SELECT max(originator_version) FROM combatlog.ledger_events WHERE originator_id = encounter)"
)
_CLAIM = SQL(
    "UPDATE combatlog.webhooks SET claim = %s, due_at = now() + make_interval(secs => %s) WHERE webhook ="
    " (SELECT webhook FROM combatlog.webhooks WHERE due_at <= now() AND failures <= %s AND {}"
    " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING {}"
).format(_BEHIND, _WEBHOOK_COLUMNS)
_DELIVERED = SQL(
    "UPDATE combatlog.webhooks SET claim = NULL, due_at = now(), delivered = %s, considered = %s, failures = 0,"
    " problem = NULL WHERE webhook = %s AND claim = %s RETURNING webhook"
).format()
_FAILED = SQL(
    "UPDATE combatlog.webhooks SET claim = NULL, failures = failures + 1, problem = %s,"
    " due_at = now() + make_interval(secs => %s) WHERE webhook = %s AND claim = %s RETURNING webhook"
).format()


@dataclass(frozen=True, slots=True)
class StoredWebhook:
    id: UUID
    encounter: UUID
    url: str
    role: str
    combatants: tuple[str, ...]
    secret: str
    by: str
    created_at: datetime
    delivered: int
    failures: int
    problem: str | None
    due_at: datetime


@dataclass(frozen=True, slots=True)
class ClaimedWebhook:
    """A webhook that is reserved for one worker for a while."""

    webhook: StoredWebhook
    claim: UUID


def insert_webhook(
    recorder: LedgerRecorder,
    id: UUID,
    encounter: UUID,
    url: str,
    role: str,
    combatants: tuple[str, ...],
    *,
    secret: str,
    by: str,
    delivered: int,
    considered: int,
) -> StoredWebhook | None:
    """Store a new webhook; None if there is already a webhook with this id."""
    values = (id, encounter, url, role, list(combatants), secret, by, delivered, considered)
    return next(map(_webhook, recorder.select(_INSERT_WEBHOOK, values)), None)


def webhooks_of(recorder: LedgerRecorder, encounter: UUID) -> list[StoredWebhook]:
    """The webhooks of an encounter, oldest first."""
    return list(map(_webhook, recorder.select(_OF, (encounter,))))


def delete_webhook(recorder: LedgerRecorder, webhook: UUID) -> bool:
    return bool(recorder.select(_DELETE, (webhook,)))


def claim_webhook(recorder: LedgerRecorder, seconds: float, most_failures: int) -> ClaimedWebhook | None:
    """Claim a webhook for some seconds: one that is due, has events to deliver, and has not failed too often."""
    claim = uuid4()
    found = recorder.select(_CLAIM, (claim, seconds, most_failures))
    return ClaimedWebhook(_webhook(found[0]), claim) if found else None


def mark_delivered(recorder: LedgerRecorder, claimed: ClaimedWebhook, delivered: int, considered: int) -> bool:
    """Note a delivery; False if the claim has expired or the webhook was removed."""
    return bool(recorder.select(_DELIVERED, (delivered, considered, claimed.webhook.id, claimed.claim)))


def mark_failed(recorder: LedgerRecorder, claimed: ClaimedWebhook, problem: str, seconds: float) -> bool:
    return bool(recorder.select(_FAILED, (problem[:500], seconds, claimed.webhook.id, claimed.claim)))


def _webhook(row: Any) -> StoredWebhook:
    id, encounter, url, role, combatants, *rest = row
    return StoredWebhook(id, encounter, url, role, tuple(combatants), *rest)
