"""A worker that crashes and shards that move, while writers and followers work on every node."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from threading import Event
from typing import Any
from uuid import uuid4

import psycopg
from eventsourcing.persistence import PersistenceError

from ledger.errors import DatabaseProblem, Unanswered
from ledger.guards import check_guards
from ledger.store import Ledger
from projections.readmodels.rebuild import rebuild
from projections.readmodels.session import catch_up
from rules.engine.commands import Declaration, Opening
from rules.engine.referee import Referee
from rules.engine.verify import verify
from tests.citus.test_following import Follower, recorded, require_all_once_and_in_order
from tests.projections.readmodels.support import dump

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
FIGHTS = 6
AT_LEAST = 15
"""Commands of each writer, however quickly the disturbance is over."""


def insist(url: str, command: Callable[[Referee], Any]) -> None:
    """Give a command with the same id until somebody says that it is recorded."""
    while True:
        try:
            with Ledger.open(url) as ledger:
                command(Referee(ledger))
                return
        except (DatabaseProblem, Unanswered):
            continue


def write(url: str, name: str, enough: Event) -> int:
    opening, count = uuid4(), 0
    insist(url, lambda referee: referee.open(Opening(name=name), command=opening))
    while count < AT_LEAST or not enough.is_set():
        number = uuid4()
        insist(url, lambda referee, number=number: referee.declare(name, NOTE, command=number))  # type: ignore[misc]
        count += 1
    return count


def keep_up(url: str, enough: Event) -> Follower:
    """Follow, and bring events into the read models, until the writers are done."""
    with Ledger.open(url) as ledger:
        follower = Follower(ledger)
        follower.position = {}  # the writers may have begun
        while not enough.is_set():
            with suppress(DatabaseProblem, PersistenceError, psycopg.Error):  # a node is away for a moment
                follower.read()
                catch_up(ledger)
    with Ledger.open(url) as ledger:
        follower._ledger = ledger
        follower.read()
    return follower


def under_load(nodes: list[str], disturb: Callable[[], None]) -> None:
    enough, written = Event(), Event()
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor())
        stack.callback(enough.set)
        stack.callback(written.set)
        following = [pool.submit(keep_up, node, written) for node in nodes]
        writing = [pool.submit(write, nodes[n % len(nodes)], f"fight {n}", enough) for n in range(FIGHTS)]
        disturb()
        enough.set()
        counts = [writer.result(timeout=300) for writer in writing]
        written.set()
        followers = [one.result(timeout=120) for one in following]
    require_sound(nodes, counts, followers)


def require_sound(nodes: list[str], counts: list[int], followers: list[Follower]) -> None:
    expected = recorded(nodes[0])
    assert len(expected) == 2 * sum(counts) + FIGHTS  # a ruling is declared and made
    for follower in followers:
        require_all_once_and_in_order(follower.seen, expected)
    with Ledger.open(nodes[1]) as ledger:
        catch_up(ledger)
        assert [finding for n in range(FIGHTS) for finding in verify(ledger, f"fight {n}").findings] == []
        assert list(check_guards(ledger)) == []
    followed = dump(nodes[0])
    assert len(followed["declarations"]) == sum(counts)
    rebuild(nodes[0])
    assert dump(nodes[1]) == followed


def crash(node: str) -> None:
    """One process of a server dies, so all of them start again, and what was committed is recovered."""
    conn = psycopg.connect(node)
    os.kill(conn.info.backend_pid, signal.SIGKILL)
    conn.close()


def test_a_worker_that_crashes_loses_nothing(ledger: Ledger, nodes: list[str]) -> None:
    def twice() -> None:
        for node in nodes[1:]:
            wait_for_events(nodes[0], 10)
            crash(node)
            wait_until_up(node)

    under_load(nodes, twice)


def test_a_shard_that_moves_loses_nothing(ledger: Ledger, nodes: list[str]) -> None:
    """There and back, with everything that is beside it."""

    def move_all() -> None:
        wait_for_events(nodes[0], 10)
        with psycopg.connect(nodes[0], autocommit=True) as conn:
            for shard, host, port, target in placements(conn):
                conn.execute(
                    "SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, shard_transfer_mode => 'force_logical')",
                    (shard, host, port, *target),
                )

    under_load(nodes, move_all)


def placements(conn: psycopg.Connection[Any]) -> list[tuple[int, str, int, tuple[str, int]]]:
    """Every shard of the events, where it is, and another worker."""
    rows = conn.execute(
        "SELECT shardid, nodename, nodeport FROM citus_shards WHERE table_name = 'combatlog.ledger_events'::regclass"
    ).fetchall()
    workers = conn.execute("SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 ORDER BY groupid").fetchall()
    return [(shard, host, port, next(one for one in workers if one != (host, port))) for shard, host, port in rows]


def wait_for_events(url: str, more: int) -> None:
    begun = len(recorded(url))
    while len(recorded(url)) < begun + more:
        """The writers have not come that far."""


def wait_until_up(node: str) -> None:
    while True:
        try:
            psycopg.connect(node).close()
            return
        except psycopg.OperationalError:
            continue
