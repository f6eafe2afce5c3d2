"""A worker that is killed and shards that move, while writers and followers work on every node."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Any
from uuid import uuid4

import psycopg
from eventsourcing.persistence import PersistenceError

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import DatabaseProblem
from ledger.store.integrity_checks import check_guards
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import rebuild
from projections.readmodels.session import catch_up
from tests.citus.test_following import Follower, recorded, require_all_once_and_in_order
from tests.clusters import Machine
from tests.projections.readmodels.support import dump

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
FIGHTS = 6
AT_LEAST = 15
"""Commands of each writer, however quickly the disturbance is over."""


@dataclass
class Writer:
    """Goes on until it is told that it was enough."""

    url: str
    name: str
    enough: Event
    tried: Event = field(default_factory=Event)
    """Set whenever a command was given, whatever came of it."""

    def write(self) -> int:
        opening, count = uuid4(), 0
        self.insist(lambda referee: referee.open(Opening(name=self.name), command=opening))
        while count < AT_LEAST or not self.enough.is_set():
            number = uuid4()
            self.insist(lambda referee, number=number: referee.declare(self.name, NOTE, command=number))  # type: ignore[misc]
            count += 1
        return count

    def insist(self, command: Callable[[Referee], Any]) -> None:
        """Give a command with the same id until somebody says that it is recorded."""
        while True:
            try:
                with LedgerStore.open(self.url) as ledger:
                    command(Referee(ledger))
                    return
            except DatabaseProblem:
                continue
            finally:
                self.tried.set()


def keep_up(url: str, enough: Event) -> Follower:
    """Follow, and bring events into the read models, until the writers are done."""
    with LedgerStore.open(url) as ledger:
        follower = Follower(ledger)
        follower.position = {}  # the writers may have begun
        while not enough.is_set():
            with suppress(DatabaseProblem, PersistenceError, psycopg.Error):  # a node is away for a moment
                follower.read()
                catch_up(ledger)
    with LedgerStore.open(url) as ledger:
        follower._ledger = ledger
        follower.read()
    return follower


def under_load(nodes: list[str], disturb: Callable[[list[Writer]], None]) -> None:
    enough, written = Event(), Event()
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(len(nodes) + FIGHTS))
        stack.callback(enough.set)
        stack.callback(written.set)
        following = [pool.submit(keep_up, node, written) for node in nodes]
        writers = [Writer(nodes[n % len(nodes)], f"fight {n}", enough) for n in range(FIGHTS)]
        writing = [pool.submit(writer.write) for writer in writers]
        disturb(writers)
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
    with LedgerStore.open(nodes[1]) as ledger:
        catch_up(ledger)
        assert [finding for n in range(FIGHTS) for finding in verify(ledger, f"fight {n}").findings] == []
        assert list(check_guards(ledger)) == []
    followed = dump(nodes[0])
    assert len(followed["declarations"]) == sum(counts)
    rebuild(nodes[0])
    assert dump(nodes[1]) == followed


def test_a_worker_that_is_killed_and_restarted_loses_nothing(ledger: LedgerStore, nodes: list[str]) -> None:
    """One after the other; it stays away until those who write through it have tried in vain."""

    def kill_each(writers: list[Writer]) -> None:
        for node in nodes[1:]:
            wait_for_events(nodes[0], 10)
            machine, through_it = Machine.of(node), [writer.tried for writer in writers if writer.url == node]
            machine.kill()
            try:
                for tried in through_it * 2:  # the first command may have been answered before
                    assert tried.wait(120)
                    tried.clear()
            finally:
                machine.start()

    for node in nodes[1:]:
        Machine.of(node)
    under_load(nodes, kill_each)


def test_a_shard_that_moves_loses_nothing(ledger: LedgerStore, nodes: list[str]) -> None:
    def move_all(_: list[Writer]) -> None:
        wait_for_events(nodes[0], 10)
        with psycopg.connect(nodes[0], autocommit=True) as conn:
            move_every_shard(conn)

    under_load(nodes, move_all)


def move_every_shard(conn: psycopg.Connection[Any]) -> None:
    """To another worker, with everything that is beside it."""
    for shard, host, port, target in placements(conn):
        conn.execute(
            "SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, shard_transfer_mode => 'force_logical')",
            (shard, host, port, *target),
        )


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
