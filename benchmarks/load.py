"""Load: several writers at once, each on an encounter of its own or all on one, with and without others that look on.

Afterwards every acknowledged command must be in the ledger exactly once, whoever looked on must have seen every event
once and in order, the read models must be as if made anew, no number may be missing, and everything must verify.
Throughput and latency are compared with bare psycopg processes that do the same commits, as many at once, in the same
run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import quantiles
from uuid import UUID

import psycopg

from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result
from benchmarks.witnesses import witnesses
from combatlog.rules.engine.referee import Referee
from combatlog.rules.engine.verify import verify
from ledger.events import Declared
from ledger.store import Ledger

WRITERS = 4
APART = f"{WRITERS} writers, an encounter each"
TOGETHER = f"{WRITERS} writers on one encounter"
Said = list[tuple[str, float]]


def run_load(url: str, seconds: float) -> Iterator[Result]:
    with Ledger.open(url) as ledger:
        referee = Referee(ledger)
        declaring, appending = ([open_duel(referee) for _ in range(WRITERS)] for _ in range(2))
        _prepare_bare(url, ledger, declaring[0], len(referee.declare(declaring[0], STRIKE).events))
        bare = _write("bare", url, seconds, [[]] * WRITERS)
        stored = _write("append", url, seconds, [[name] for name in appending])
        alone = _write("declare", url, seconds, [[name] for name in declaring])
        with witnesses(url, declaring):
            watched = _write("declare", url, seconds, [[name] for name in declaring])
            together = _write("declare", url, seconds, [declaring[:1]] * WRITERS)
        _check(ledger, [*declaring, *appending], stored + alone + watched + together)
    yield from _results(f"{APART}, appending what was resolved before", stored, bare, seconds)
    yield from _results(f"{APART}, declaring", alone, bare, seconds)
    yield from _results(f"{APART}, declaring, with followers", watched, bare, seconds)
    yield from _results(f"{TOGETHER}, declaring, with followers", together, bare, seconds)


def _results(what: str, ours: Said, bare: Said, seconds: float) -> Iterator[Result]:
    yield Result(what, "commands", len(ours) / seconds, len(bare) / seconds, 0)
    for name, percent in (("p50", 50), ("p99", 99)):
        yield Result(f"  {name}, answers", "", 1 / _percentile(ours, percent), 1 / _percentile(bare, percent), 0)


def _percentile(said: Said, percent: int) -> float:
    return quantiles([latency for _, latency in said], n=100)[percent - 1]


def _write(kind: str, url: str, seconds: float, shares: Sequence[Sequence[str]]) -> Said:
    return write(kind, [url] * len(shares), seconds, shares)


def write(kind: str, urls: Sequence[str], seconds: float, shares: Sequence[Sequence[str]]) -> Said:
    """What the writers of these encounters were told, all having started at the same moment."""
    processes = [_spawn(kind, url, seconds, share) for url, share in zip(urls, shares, strict=True)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    said: Said = []
    outputs = []
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        assert process.stdout is not None
        outputs.append(process.stdout.read())
        assert process.wait() == 0
    for output in outputs:
        said += json.loads(output)
    return said


def _spawn(kind: str, url: str, seconds: float, share: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.writer", kind, url, str(seconds), *share],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _prepare_bare(url: str, ledger: Ledger, name: str, rows: int) -> None:
    """The rows of one command, for the bare writers to write again and again."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("DROP TABLE IF EXISTS bare_events, bare_rows")
        conn.execute("CREATE TABLE bare_events (LIKE combatlog.ledger_events INCLUDING ALL)")
        conn.execute("CREATE TABLE bare_rows AS SELECT topic, state, hash FROM combatlog.ledger_events WHERE false")
        last = ledger.recorder.select_rows(ledger.find(name).events[-1].encounter)[-rows:]
        for row in last:
            conn.execute("INSERT INTO bare_rows VALUES (%s, %s, %s)", (row.name, row.state, row.hash))


def _check(ledger: Ledger, names: Sequence[str], said: Said) -> None:
    recorded: Counter[UUID] = Counter()
    for name in names:
        events = ledger.find(name).events
        assert [event.seq for event in events] == list(range(1, len(events) + 1)), f"{name} has gaps"
        recorded.update(event.command for event in events if isinstance(event, Declared))
        assert verify(ledger, name).findings == [], f"{name} does not verify"
    lost = [command for command, _ in said if recorded[UUID(command)] != 1]
    assert not lost, f"{len(lost)} acknowledged commands are not there exactly once"
    print(f"  (all {len(said)} acknowledged commands are there exactly once, no gaps, all chains verify)")
