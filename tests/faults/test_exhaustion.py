"""What runs out: connections and disk space."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from tests.cli.conftest import Ran, Run
from tests.cli.conftest import run as run  # a fixture
from tests.faults.scene import ENCOUNTER, check, open_fight
from tests.optional import need


@pytest.fixture
def limited(database: str) -> Iterator[str]:
    """A user who may have one connection at a time."""
    user = f"limited_{database.split('dbname=')[1][:20].split()[0]}"
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(f"CREATE ROLE {user} LOGIN SUPERUSER PASSWORD 'limited'")  # type: ignore[call-overload]
        with LedgerStore.open(database) as ledger:
            open_fight(ledger)
        conn.execute(f"ALTER ROLE {user} NOSUPERUSER CONNECTION LIMIT 1")  # type: ignore[call-overload]
        conn.execute(f"GRANT USAGE ON SCHEMA combatlog TO {user}")  # type: ignore[call-overload]
        conn.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA combatlog TO {user}")  # type: ignore[call-overload]
    yield make_conninfo(database, user=user, password="limited")
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(f"DROP OWNED BY {user}")  # type: ignore[call-overload]
        conn.execute(f"DROP ROLE {user}")  # type: ignore[call-overload]


def test_no_connection_is_left(run: Run, limited: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, limited)
    assert run("status", ENCOUNTER).status == 0
    with _connected(limited):
        refused = run("status", ENCOUNTER)
    assert refused.status == 1
    assert "too many connections" in refused.err
    assert refused.code == "database/unreachable"
    again = _status_once_there_is_one(run)
    assert again.status == 0, again.err
    with LedgerStore.open(database) as ledger:
        check(ledger, [])


def _connected(limited: str) -> psycopg.Connection[Any]:
    """PostgreSQL counts a connection until its process has ended, a moment after it was closed."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return psycopg.connect(limited)
        except psycopg.OperationalError as error:
            if "too many connections" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def _status_once_there_is_one(run: Run) -> Ran:
    """Whoever was refused is counted for that moment, too."""
    deadline = time.monotonic() + _PATIENCE
    while "too many connections" in (ran := run("status", ENCOUNTER)).err and time.monotonic() < deadline:
        time.sleep(0.05)
    return ran


_PATIENCE = 20
"""Seconds, on a machine with much else to do."""


@pytest.mark.slow
def test_a_disk_that_is_really_full(server_folder: Path) -> None:
    """On a file system of 128 MB, where one may be mounted; tests/cli has the same by PostgreSQL's own code."""
    folder = server_folder / "small-disk"
    folder.mkdir()
    script = 'mount -t tmpfs -o size=128m,mode=0755 tmpfs "$1" && exec "$2" -m tests.faults.full_disk "$1"'
    ran = subprocess.run(
        [need("tmpfs"), "-m", "sh", "-c", script, "sh", str(folder), sys.executable],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() in {"database/full", "database/unreachable", "database/no-answer", "database/no-start"}
