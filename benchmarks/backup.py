"""Backing up and restoring a ledger: the memory it takes, and the time against a bare COPY of the same rows.

Memory is compared between a quarter of the ledger and all of it: it must not grow with the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import psycopg

from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from benchmarks.processes import Taken, taken_by
from benchmarks.simulated import fill, templates

EVENTS = 100_000
FLAT = 0.9

_WORK = """
from pathlib import Path
from ledger.restore import restore_backup
from ledger.upkeep import back_up
{"backup": back_up, "restore": restore_backup}[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
"""


def run_backup(url: str, seconds: float, events: int = EVENTS) -> Iterator[Result]:
    fights = templates()
    with empty_ledger(url) as source, TemporaryDirectory() as folder:
        fill(source, events // 4, fights)
        small = _there_and_back(url, source, Path(folder) / "small.jsonl")
        count = fill(source, events - events // 4, fights) + events // 4
        large = _there_and_back(url, source, Path(folder) / "large.jsonl")
        bare = _bare_copy(source)
    for what, few, all_ in zip(("backup", "restore"), small, large, strict=True):
        yield Result(f"{what} of {count:,} events, against a COPY", "events", count / all_.seconds, count / bare, 0)
        yield Result(f"  memory (KiB) of a {what} at a quarter, against all of it", "", few.kib, all_.kib, FLAT)


def _there_and_back(url: str, source: str, file: Path) -> tuple[Taken, Taken]:
    with empty_ledger(url) as target:
        return taken_by(_WORK, "backup", source, str(file)), taken_by(_WORK, "restore", target, str(file))


def _bare_copy(url: str) -> float:
    query = "COPY combatlog.ledger_events TO STDOUT (FORMAT BINARY)"
    start = perf_counter()
    with psycopg.connect(url) as conn, conn.cursor() as cursor, cursor.copy(query) as stream:
        for _ in stream:
            pass
    return perf_counter() - start
