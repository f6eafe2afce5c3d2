"""Several writers at once on one server or on a Citus cluster, each on an encounter of its own or all on one, while
others read.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import median, quantiles
from uuid import UUID, uuid4

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.measure import BenchmarkResult, empty_ledger, in_turns
from benchmarks.sample_fights import STRIKE, open_duel
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.events import Declared
from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from projections.readmodels.catalogue import TABLES
from projections.readmodels.rebuild import rebuild
from projections.readmodels.recorder import ReadModels
from projections.readmodels.schema_and_login import SCHEMA
from tests import clusters

WRITERS = 4
APART = f"{WRITERS} writers, an encounter each"
TOGETHER = f"{WRITERS} writers on one encounter"
Said = list[tuple[str, float]]


def run_load(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with LedgerStore.open(url) as ledger:
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


def _results(what: str, ours: Said, bare: Said, seconds: float) -> Iterator[BenchmarkResult]:
    yield BenchmarkResult(what, "commands", len(ours) / seconds, len(bare) / seconds, 0)
    for name, percent in (("p50", 50), ("p99", 99)):
        yield BenchmarkResult(
            f"  {name}, answers", "", 1 / _percentile(ours, percent), 1 / _percentile(bare, percent), 0
        )


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
        [sys.executable, "-m", "benchmarks.load_writer", kind, url, str(seconds), *share],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _prepare_bare(url: str, ledger: LedgerStore, name: str, rows: int) -> None:
    """The rows of one command, for the bare writers to write again and again."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("DROP TABLE IF EXISTS bare_events, bare_rows")
        conn.execute("CREATE TABLE bare_events (LIKE combatlog.ledger_events INCLUDING ALL)")
        conn.execute("CREATE TABLE bare_rows AS SELECT topic, state, hash FROM combatlog.ledger_events WHERE false")
        last = ledger.recorder.select_rows(ledger.find(name).events[-1].encounter)[-rows:]
        for row in last:
            conn.execute("INSERT INTO bare_rows VALUES (%s, %s, %s)", (row.name, row.state, row.hash))


def _check(ledger: LedgerStore, names: Sequence[str], said: Said) -> None:
    recorded: Counter[UUID] = Counter()
    for name in names:
        events = ledger.find(name).events
        assert [event.seq for event in events] == list(range(1, len(events) + 1)), f"{name} has gaps"
        recorded.update(event.command for event in events if isinstance(event, Declared))
        assert verify(ledger, name).findings == [], f"{name} does not verify"
    lost = [command for command, _ in said if recorded[UUID(command)] != 1]
    assert not lost, f"{len(lost)} acknowledged commands are not there exactly once"
    print(f"  (all {len(said)} acknowledged commands are there exactly once, no gaps, all chains verify)")


_PATIENCE = 120.0


@contextmanager
def witnesses(url: str, names: Sequence[str]) -> Iterator[None]:
    """All of them at once; when the writing is over, each must have seen everything exactly once."""
    with LedgerStore.open(url) as ledger:
        before = ledger.recorder.max_notification_id() or 0
        with _subscribed(ledger, before) as seen, _projecting(url) as read_models, _folding(url, names) as folded:
            yield
            with LedgerStore.open(url) as afterwards:
                last = afterwards.recorder.max_notification_id() or 0
            read_models.wait(ledger.name, last, timeout=_PATIENCE)
            _wait_for(seen, last)
    assert seen == _ids_after(url, before), "the follower missed events, or saw them twice or out of order"
    rows = _compare_with_rebuilt(url)
    print(f"  (a follower saw all {len(seen)} events in order, {sum(folded)} fights were folded meanwhile,")
    print(f"   and the read models that were kept up have the same {rows} rows as rebuilt ones)")


@contextmanager
def _subscribed(ledger: LedgerStore, after: int) -> Iterator[list[int]]:
    """The ids that a subscription gives, in the order in which it gives them."""
    seen: list[int] = []
    subscription = ledger.recorder.subscribe(gt=after)

    def follow() -> None:
        for notification in subscription:
            seen.append(notification.id)

    thread = threading.Thread(target=follow)
    with subscription:
        thread.start()
        yield seen
    thread.join()


def _wait_for(seen: list[int], last: int) -> None:
    waiting = threading.Event()
    while not seen or seen[-1] < last:
        waiting.wait(0.05)


@contextmanager
def _projecting(url: str) -> Iterator[ReadModels]:
    """`combatlog projections run`, as anybody would start it, until it is interrupted."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.app", "projections", "run"],
        env={**os.environ, URL_VARIABLE: url},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in ("it is current", "it follows"):  # one line for each
        assert process.stdout.readline(), "the read models' follower did not start"
    with ReadModels.connect(url) as view:
        yield view
    process.send_signal(signal.SIGINT)
    assert process.wait(_PATIENCE) == 0


@contextmanager
def _folding(url: str, names: Sequence[str]) -> Iterator[list[int]]:
    """Folds fights while others write them; one for each that was folded."""
    folded: list[int] = []
    stopped = threading.Event()

    def fold() -> None:
        with LedgerStore.open(url) as ledger:
            referee = Referee(ledger)
            while not stopped.wait(0.05):
                referee.battle(names[len(folded) % len(names)])
                folded.append(1)

    thread = threading.Thread(target=fold)
    thread.start()
    yield folded
    stopped.set()
    thread.join()


def _ids_after(url: str, before: int) -> list[int]:
    with psycopg.connect(url) as conn:
        query = "SELECT notification_id FROM combatlog.ledger_events WHERE notification_id > %s ORDER BY 1"
        return [row[0] for row in conn.execute(query, (before,))]


def _compare_with_rebuilt(url: str) -> int:
    """Every row of the tables as they were kept, against the tables made anew; how many there are."""
    with psycopg.connect(url, autocommit=True) as conn:
        for name in TABLES:
            kept = (Identifier(f"kept_{name}"), Identifier(SCHEMA, name))
            conn.execute(SQL("CREATE TEMP TABLE {} AS TABLE {}").format(*kept))
        rebuild(url)
        return sum(_same_rows(conn, name) for name in TABLES)


def _same_rows(conn: psycopg.Connection[tuple[int, int]], name: str) -> int:
    kept, anew = Identifier(f"kept_{name}"), Identifier(SCHEMA, name)
    query = SQL(
        "SELECT (SELECT count(*) FROM ((TABLE {kept} EXCEPT ALL TABLE {anew}) UNION ALL"
        " (TABLE {anew} EXCEPT ALL TABLE {kept}))), (SELECT count(*) FROM {anew})"
    ).format(kept=kept, anew=anew)
    ((different, rows),) = conn.execute(query).fetchall()
    assert different == 0, f"{different} rows of {name} are not as they would be rebuilt"
    return rows


def run_citus(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    if not clusters.given():
        return
    with empty_ledger(clusters.given()[0]) as plain, _distributed_ledger() as nodes:
        places = ([plain], nodes[:1], nodes)
        alone, one, every = map(median, in_turns([partial(_appends, place) for place in places], seconds))
    what = f"{WRITERS} writers appending"
    yield BenchmarkResult(
        f"{what} through the coordinator of a cluster on one machine, against one server", "", one, alone, 0
    )
    yield BenchmarkResult(f"{what} through all {len(nodes)} nodes, against one server", "", every, alone, 0)


def _appends(nodes: list[str], seconds: float) -> float:
    """A second, by writers with an encounter each, who take the nodes in turns."""
    with LedgerStore.open(nodes[0]) as ledger:
        names = [open_duel(Referee(ledger)) for _ in range(WRITERS)]
    places = [nodes[number % len(nodes)] for number in range(WRITERS)]
    return len(write("append", places, seconds, [[name] for name in names])) / seconds


@contextmanager
def _distributed_ledger() -> Iterator[list[str]]:
    name = f"bench_{uuid4().hex}"
    try:
        yield clusters.nodes_of(clusters.make_ledger(name))
    finally:
        for server in clusters.given():
            with psycopg.connect(server, autocommit=True) as conn:
                conn.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))
