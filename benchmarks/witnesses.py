"""Those who look on while others write: a follower of all events, the read models' own, and a reader that folds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
from psycopg.sql import SQL, Identifier

from combatlog.rules.engine.referee import Referee
from ledger.database import URL_VARIABLE
from ledger.store import Ledger
from projections.readmodels.catalogue import TABLES
from projections.readmodels.ddl import SCHEMA
from projections.readmodels.rebuild import rebuild
from projections.readmodels.recorder import ReadModels

_PATIENCE = 120.0


@contextmanager
def witnesses(url: str, names: Sequence[str]) -> Iterator[None]:
    """All of them at once; when the writing is over, each must have seen everything exactly once."""
    with Ledger.open(url) as ledger:
        before = ledger.recorder.max_notification_id() or 0
        with _subscribed(ledger, before) as seen, _projecting(url) as read_models, _folding(url, names) as folded:
            yield
            with Ledger.open(url) as afterwards:
                last = afterwards.recorder.max_notification_id() or 0
            read_models.wait(ledger.name, last, timeout=_PATIENCE)
            _wait_for(seen, last)
    assert seen == _ids_after(url, before), "the follower missed events, or saw them twice or out of order"
    rows = _compare_with_rebuilt(url)
    print(f"  (a follower saw all {len(seen)} events in order, {sum(folded)} fights were folded meanwhile,")
    print(f"   and the read models that were kept up have the same {rows} rows as rebuilt ones)")


@contextmanager
def _subscribed(ledger: Ledger, after: int) -> Iterator[list[int]]:
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
        with Ledger.open(url) as ledger:
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
