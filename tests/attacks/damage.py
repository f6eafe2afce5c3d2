"""Writing into a ledger what no program of ours would: past the functions, as whoever owns the tables can."""

from __future__ import annotations

from uuid import UUID

import psycopg

from ledger.hashing import GENESIS, link
from ledger.store import encounter_id
from rules.engine.commands import Declaration, Opening
from rules.engine.referee import Referee

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})


def play(referee: Referee, *names: str) -> None:
    """Encounters with three events each."""
    for name in names:
        referee.open(Opening(name=name))
        referee.declare(name, NOTE)


def plant(url: str, name: str, topic: str, state: bytes, *, gap: int = 0) -> tuple[UUID, int]:
    """Add a row to an encounter, with the hash that fits; its place."""
    encounter = encounter_id(name)
    with psycopg.connect(url, autocommit=True) as conn:
        row = conn.execute(
            "SELECT originator_version, hash FROM combatlog.ledger_events WHERE originator_id = %s"
            " ORDER BY originator_version DESC LIMIT 1",
            (encounter,),
        ).fetchone()
        last, head = row or (0, GENESIS)
        seq = last + 1 + gap
        conn.execute(
            "INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)"
            " VALUES (%s, %s, %s, %s, %s)",
            (encounter, seq, topic, state, link(head, encounter, seq, topic, state)),
        )
    return encounter, seq


def tamper(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        conn.execute(statement.encode())
        conn.execute("ALTER TABLE combatlog.ledger_events ENABLE ALWAYS TRIGGER append_only")
