"""Webhooks as they are stored: who is told what happens in a fight, how far, and when to try again.

Whoever delivers claims a webhook for a while, so that only one does at a time; if it dies, the claim ends by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from psycopg.sql import SQL

from ledger.recorder import LedgerRecorder

_COLUMNS = SQL(
    "webhook, encounter, url, role, combatants, secret, by, created_at, delivered, failures, problem, due_at"
)
_INSERT = SQL(
    "INSERT INTO combatlog.webhooks (webhook, encounter, url, role, combatants, secret, by, delivered, considered)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (webhook) DO NOTHING RETURNING {}"
).format(_COLUMNS)
_OF = SQL("SELECT {} FROM combatlog.webhooks WHERE encounter = %s ORDER BY created_at, webhook").format(_COLUMNS)
_DELETE = SQL("DELETE FROM combatlog.webhooks WHERE webhook = %s RETURNING webhook").format()
_BEHIND = SQL(
    "considered < (SELECT max(originator_version) FROM combatlog.ledger_events WHERE originator_id = encounter)"
)
_CLAIM = SQL(
    "UPDATE combatlog.webhooks SET claim = %s, due_at = now() + make_interval(secs => %s) WHERE webhook ="
    " (SELECT webhook FROM combatlog.webhooks WHERE due_at <= now() AND failures <= %s AND {}"
    " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING {}"
).format(_BEHIND, _COLUMNS)
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
class Claimed:
    """A webhook that nobody else delivers to for a while."""

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
    """None: there is a webhook with this id already."""
    values = (id, encounter, url, role, list(combatants), secret, by, delivered, considered)
    return next(map(_webhook, recorder.select(_INSERT, values)), None)


def webhooks_of(recorder: LedgerRecorder, encounter: UUID) -> list[StoredWebhook]:
    """Oldest first."""
    return list(map(_webhook, recorder.select(_OF, (encounter,))))


def delete_webhook(recorder: LedgerRecorder, webhook: UUID) -> bool:
    return bool(recorder.select(_DELETE, (webhook,)))


def claim_webhook(recorder: LedgerRecorder, seconds: float, most_failures: int) -> Claimed | None:
    """One that is due and has not been told everything, and has not failed too often; claimed for some seconds."""
    claim = uuid4()
    found = recorder.select(_CLAIM, (claim, seconds, most_failures))
    return Claimed(_webhook(found[0]), claim) if found else None


def mark_delivered(recorder: LedgerRecorder, claimed: Claimed, delivered: int, considered: int) -> bool:
    """False: the claim has ended meanwhile, or the webhook was removed."""
    return bool(recorder.select(_DELIVERED, (delivered, considered, claimed.webhook.id, claimed.claim)))


def mark_failed(recorder: LedgerRecorder, claimed: Claimed, problem: str, seconds: float) -> bool:
    return bool(recorder.select(_FAILED, (problem[:500], seconds, claimed.webhook.id, claimed.claim)))


def _webhook(row: Any) -> StoredWebhook:
    id, encounter, url, role, combatants, *rest = row
    return StoredWebhook(id, encounter, url, role, tuple(combatants), *rest)
