"""Load: several writers on several encounters, a reader that follows all events, and one that folds, all at once.

Afterwards every acknowledged command must be in the ledger exactly once, the follower must have seen every event once
and in order, no number may be missing, and everything must verify. Throughput and latency are compared with bare
psycopg processes that do the same commits, as many at once, in the same run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import quantiles
from uuid import UUID

import psycopg

from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result
from ledger.events import Declared
from ledger.store import Ledger
from rules.referee import Referee
from rules.verify import verify

WRITERS = 4
Said = list[tuple[str, float]]


def run(url: str, seconds: float) -> Iterator[Result]:
    with Ledger.open(url) as ledger:
        referee = Referee(ledger)
        names = [open_duel(referee) for _ in range(WRITERS)]
        rows = len(referee.declare(names[0], STRIKE).events)
        _prepare_bare(url, ledger, names[0], rows)
        shares = [names[number : number + 1] for number in range(WRITERS)]
        apart = _under_load(ledger, url, seconds, shares)
        together = _under_load(ledger, url, seconds, [names[:1]] * WRITERS)
        bare = _write("bare", url, seconds, [[]] * WRITERS)
        _check(ledger, names, apart + together)
    yield from _results(f"{WRITERS} writers, an encounter each", apart, bare, seconds)
    yield from _results(f"{WRITERS} writers on one encounter", together, bare, seconds)


def _results(what: str, ours: Said, bare: Said, seconds: float) -> Iterator[Result]:
    yield Result(what, "commands", len(ours) / seconds, len(bare) / seconds, 0)
    for name, percent in (("p50", 50), ("p99", 99)):
        yield Result(f"  {name}, answers", "", 1 / _percentile(ours, percent), 1 / _percentile(bare, percent), 0)


def _percentile(said: Said, percent: int) -> float:
    return quantiles([latency for _, latency in said], n=100)[percent - 1]


def _under_load(ledger: Ledger, url: str, seconds: float, shares: Sequence[Sequence[str]]) -> Said:
    """Write while one reader follows the log of all events and another folds the fights."""
    first = (ledger.recorder.max_notification_id() or 0) + 1
    with Ledger.open(url) as reading, _Follower(url, first) as follower:
        folder = _Folder(Referee(reading), [name for share in shares for name in share])
        said = _write("ours", url, seconds, shares)
        folded = folder.stop()
        last = ledger.recorder.max_notification_id() or 0
        follower.follow_to(last)
    assert follower.seen == _ids_from(url, first), "the follower missed events, or saw them twice or out of order"
    print(f"  (a follower saw all {len(follower.seen)} events in order, a reader folded {folded} fights meanwhile)")
    return said


def _ids_from(url: str, first: int) -> list[int]:
    with psycopg.connect(url) as conn:
        query = "SELECT notification_id FROM combatlog.ledger_events WHERE notification_id >= %s ORDER BY 1"
        return [row[0] for row in conn.execute(query, (first,))]


class _Follower:
    """Reads the log of all events from its last place on, again and again, as a projection does."""

    def __init__(self, url: str, first: int) -> None:
        self._ledger = Ledger.open(url)
        self._next = first
        self._target: int | None = None
        self.seen: list[int] = []
        self._thread = threading.Thread(target=self._follow)

    def __enter__(self) -> _Follower:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.follow_to(self._target or 0)
        self._ledger.close()

    def follow_to(self, last: int) -> None:
        self._target = last
        self._thread.join()

    def _follow(self) -> None:
        while self._target is None or self._next <= self._target:
            found = self._ledger.recorder.select_notifications(self._next, 1000)
            self.seen += [notification.id for notification in found]
            self._next = found[-1].id + 1 if found else self._next


class _Folder:
    """Folds fights while others write them."""

    def __init__(self, referee: Referee, names: Sequence[str]) -> None:
        self._referee, self._names = referee, names
        self._stopped = threading.Event()
        self._folded = 0
        self._thread = threading.Thread(target=self._fold)
        self._thread.start()

    def stop(self) -> int:
        self._stopped.set()
        self._thread.join()
        return self._folded

    def _fold(self) -> None:
        while not self._stopped.wait(0.05):
            self._referee.battle(self._names[self._folded % len(self._names)])
            self._folded += 1


def _write(kind: str, url: str, seconds: float, shares: Sequence[Sequence[str]]) -> Said:
    processes = [_spawn(kind, url, seconds, share) for share in shares]
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
