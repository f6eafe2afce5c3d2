"""Measure two things in turns, so that noise falls on both, in empty databases and processes of their own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from ledger.store.database import URL_VARIABLE, EmbeddedPostgres, locate
from ledger.store.ledger import LedgerStore

TURNS = 8
CLEARLY = 4
"""How many times as large as its usual deviation a difference has to be; then it is known to about a sixth."""


@dataclass(frozen=True)
class BenchmarkResult:
    """How many a second, ours and bare, and the ratio that is aimed at; 0 where it is for information.

    Only the ratio counts: how many a second says more about the machine.
    """

    what: str
    unit: str
    ours: float
    bare: float
    aim: float

    @property
    def ratio(self) -> float:
        return self.ours / self.bare

    @property
    def reached(self) -> bool:
        return self.ratio >= self.aim

    def __str__(self) -> str:
        verdict = f" (aim {self.aim:.2g}: {'reached' if self.reached else 'NOT REACHED'})" if self.aim else ""
        return f"{self.what}: {self.ours:,.0f} {self.unit}/s, bare {self.bare:,.0f}/s, ratio {self.ratio:.2f}{verdict}"


def compare(
    ours: Callable[[], int],
    bare: Callable[[], int],
    seconds: float,
    clock: Callable[[], float] = perf_counter,
) -> tuple[float, float]:
    """Rates of two functions that do some work and say how much: the median of several turns each.

    Work that only computes is best timed by `process_time`: what others do on the machine does not count then.
    """
    ours_rate, bare_rate = compare_all([ours, bare], seconds, clock)
    return ours_rate, bare_rate


def compare_all(
    works: Sequence[Callable[[], int]], seconds: float, clock: Callable[[], float] = perf_counter
) -> list[float]:
    """Rates of several functions, in turns."""
    return [median(found) for found in rates_in_turns(works, seconds, clock)]


def rates_in_turns(
    works: Sequence[Callable[[], int]], seconds: float, clock: Callable[[], float] = perf_counter
) -> list[list[float]]:
    """The same, with the rate in each turn."""
    for work in works:
        work()
    return in_turns([partial(rate, work, clock=clock) for work in works], seconds)


def added(together: Sequence[float], without: Sequence[float]) -> float | None:
    """The rate of what takes the rest of the time: two things that are done together, less one of them alone.

    The rates are those of the same turns. None if the rest is not much more than what it varies by from turn to turn:
    the difference of two such rates can be anything.
    """
    rest = [1 / both - 1 / one for both, one in zip(together, without, strict=True)]
    usual = median(rest)
    varies_by = median(abs(one - usual) for one in rest)
    return 1 / usual if usual > CLEARLY * varies_by and usual > 0 else None


def in_turns(measures: Sequence[Callable[[float], float]], seconds: float) -> list[list[float]]:
    """Of each measure, what it says in each turn. It gets a share of the seconds, and may start processes first."""
    turns = [[measure(seconds / TURNS) for measure in measures] for _ in range(TURNS)]
    return [list(found) for found in zip(*turns, strict=True)]


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = perf_counter) -> float:
    """How much of the work is done in a second."""
    done = 0
    start = clock()
    while (spent := clock() - start) < seconds:
        done += work()
    return done / spent


@contextmanager
def scratch_database() -> Iterator[str]:
    """The database that COMBATLOG_DATABASE_URL names, or an embedded one that is thrown away."""
    import os

    if os.environ.get(URL_VARIABLE):
        yield locate()
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder) / "postgres")
        yield server.start()
        server.stop()


@contextmanager
def empty_ledger(url: str) -> Iterator[str]:
    """The URL of a ledger without events, which is dropped afterwards."""
    name = f"bench_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        try:
            made = make_conninfo(url, dbname=name)
            LedgerStore.open(made).close()
            yield made
        finally:
            conn.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


# VmHWM, because the other count of a process's memory begins with that of the process which started it.
_MEASURED = """
import re, sys, time
start = time.perf_counter()
{work}
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(time.perf_counter() - start, peak)
"""


class ProcessCost(NamedTuple):
    seconds: float
    kib: float
    printed: tuple[float, ...]


def taken_by(work: str, *arguments: str) -> ProcessCost:
    """Run Python code that finds its arguments in `sys.argv` and may print numbers."""
    command = [sys.executable, "-c", _MEASURED.format(work=work), *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    *printed, seconds, kib = map(float, done.stdout.split())
    return ProcessCost(seconds, kib, tuple(printed))
