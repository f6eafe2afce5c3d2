"""Writing into a ledger what no program of ours would: past the functions, as whoever owns the tables can."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.registry import GENESIS, chained_hash
from ledger.store.ledger import encounter_id
from ledger.store.schema import is_distributed

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
            (encounter, seq, topic, state, chained_hash(head, encounter, seq, topic, state)),
        )
    return encounter, seq


_UNGUARD_SHARDS = """
SELECT run_command_on_shards('combatlog.ledger_events', $$DO $do$ BEGIN
    EXECUTE (
        SELECT format('ALTER TABLE %%s DISABLE TRIGGER %%I', tgrelid::regclass, tgname)
        FROM pg_trigger WHERE tgrelid = '%s'::regclass AND starts_with(tgname, 'append_only')
    );
END $do$ $$)"""


@contextmanager
def unguarded(url: str) -> Iterator[psycopg.Connection[Any]]:
    """The owner's connection to a ledger that is not append-only any more; on a cluster, no shard of it is."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("SET citus.enable_unsafe_triggers TO on")  # Citus refuses otherwise; to others it means nothing
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        if is_distributed(conn):
            conn.execute(_UNGUARD_SHARDS)
        yield conn


def tamper(url: str, statement: str) -> None:
    """Change something and leave no other trace."""
    with unguarded(url) as conn:
        conn.execute(statement.encode())
        conn.execute("ALTER TABLE combatlog.ledger_events ENABLE ALWAYS TRIGGER append_only")
