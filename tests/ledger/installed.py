"""What a fresh ledger has, for ledger/sql/installed.json: `python -m tests.ledger.installed` writes it again.

Run it after adding a step to the schema, and look at the difference: it is what `verify` compares ledgers with.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import psycopg

from ledger.database import Embedded
from ledger.guards import INSTALLED, describe
from ledger.store import Ledger


def installed(url: str) -> dict[str, str]:
    Ledger.open(url).close()
    with psycopg.connect(url, autocommit=True) as conn:
        return describe(conn)


def write() -> None:
    with tempfile.TemporaryDirectory(prefix="combatlog-", ignore_cleanup_errors=True) as folder:
        server = Embedded(Path(folder) / "postgres")
        try:
            found = installed(server.start())
        finally:
            server.stop()
    Path(str(INSTALLED)).write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    write()
