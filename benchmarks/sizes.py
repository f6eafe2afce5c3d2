"""How large a ledger is, its read models and a lake of it. Bytes do not depend on what else the machine does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

import combatlog
from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from benchmarks.simulated import fill, templates
from projections.readmodels.ddl import SCHEMA
from projections.readmodels.rebuild import rebuild

EVENTS = 100_000
_SAID = "SELECT sum(octet_length(state)) FROM combatlog.ledger_events"
_OF_SCHEMA = (
    "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r'"
)


def run_sizes(url: str, seconds: float, events: int = EVENTS) -> Iterator[Result]:
    with empty_ledger(url) as full:
        fill(full, events, templates())
        rebuild(full)
        with psycopg.connect(full) as conn:
            said, ledger, models = (
                float(conn.execute(query, values).fetchall()[0][0])
                for query, values in (
                    (_SAID, ()),
                    ("SELECT pg_total_relation_size('combatlog.ledger_events')", ()),
                    (_OF_SCHEMA, (SCHEMA,)),
                )
            )
        lake = float(_bytes_of_lake(full))
    yield Result("bytes that events say, against those of the ledger with its indexes", "", said, ledger, 0)
    yield Result("bytes of the ledger, against those of the read models", "", ledger, models, 0)
    yield Result("bytes of the ledger, against those of a lake with its facts", "", ledger, lake, 0)


def _bytes_of_lake(url: str) -> int:
    with tempfile.TemporaryDirectory() as folder, combatlog.open(url) as ledger:
        ledger.write_lake(Path(folder) / "lake")
        return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
