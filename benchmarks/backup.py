"""Backing up and restoring a ledger: the memory it takes, and the time against a bare COPY of the same rows.

Memory is compared between a quarter of the ledger and all of it: it must not grow with the ledger.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import psycopg

from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from benchmarks.simulated import fill, templates

EVENTS = 100_000
FLAT = 0.9

# VmHWM, because the other count of a process's memory begins with that of the process which started it.
_MEASURED = """
import re, sys, time
from pathlib import Path
from ledger.restore import restore_backup
from ledger.upkeep import back_up
work = {"backup": back_up, "restore": restore_backup}[sys.argv[1]]
start = time.perf_counter()
work(sys.argv[2], Path(sys.argv[3]))
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(time.perf_counter() - start, peak)
"""


class Measured(NamedTuple):
    seconds: float
    kib: float


def run(url: str, seconds: float, events: int = EVENTS) -> Iterator[Result]:
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


def _there_and_back(url: str, source: str, file: Path) -> tuple[Measured, Measured]:
    with empty_ledger(url) as target:
        return measured("backup", source, file), measured("restore", target, file)


def measured(what: str, url: str, file: Path) -> Measured:
    """Seconds and the most memory of a backup or of restoring one, in a process of its own."""
    command = [sys.executable, "-c", _MEASURED, what, url, str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Measured(*map(float, done.stdout.split()))


def _bare_copy(url: str) -> float:
    query = "COPY combatlog.ledger_events TO STDOUT (FORMAT BINARY)"
    start = perf_counter()
    with psycopg.connect(url) as conn, conn.cursor() as cursor, cursor.copy(query) as stream:
        for _ in stream:
            pass
    return perf_counter() - start
