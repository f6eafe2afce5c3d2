"""What a fresh ledger has, for ledger/store/sql/installed.json: `python -m tests.ledger.installed` writes it again.

Run it after adding a step to the schema, and look at the difference: it is what `verify` compares ledgers with. Where
a Citus cluster is given (`tests.clusters`), it writes ledger/store/sql/installed_on_citus.json as well.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from uuid import uuid4

import psycopg

from ledger.store.database import EmbeddedPostgres
from ledger.store.integrity_checks import INSTALLED, INSTALLED_ON_CITUS, describe
from ledger.store.ledger import LedgerStore
from tests import clusters


def installed(url: str) -> dict[str, str]:
    LedgerStore.open(url).close()
    with psycopg.connect(url, autocommit=True) as conn:
        return describe(conn)


def on_citus(database: str) -> dict[str, dict[str, str | None]]:
    """What is different on the nodes of a distributed ledger: on all of them, and on workers."""
    plain: dict[str, str] = json.loads(INSTALLED.read_text("utf-8"))
    coordinator, worker = (_described(node) for node in clusters.nodes_of(database)[:2])
    return {"every node": _changed(plain, coordinator), "workers": _changed(coordinator, worker)}


def _described(url: str) -> dict[str, str]:
    with psycopg.connect(url, autocommit=True) as conn:
        return describe(conn)


def _changed(before: dict[str, str], after: dict[str, str]) -> dict[str, str | None]:
    return {name: after.get(name) for name in sorted({*before, *after}) if before.get(name) != after.get(name)}


def write_on_citus() -> None:
    """Only if a cluster is given."""
    name = f"installed_{uuid4().hex}"
    found = on_citus(clusters.make_ledger(name))
    for server in clusters.given():
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]
    Path(str(INSTALLED_ON_CITUS)).write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", "utf-8")


def write() -> None:
    with tempfile.TemporaryDirectory(prefix="combatlog-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder) / "postgres")
        try:
            found = installed(server.start())
        finally:
            server.stop()
    Path(str(INSTALLED)).write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    write()
    if clusters.given():
        write_on_citus()
