"""Followers of several nodes that write: nothing is missed and nothing comes twice, whichever nodes write."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import Notification
from hypothesis import given
from hypothesis import strategies as st

import combatlog
from ledger.store.ledger import LedgerStore
from ledger.store.positions import position_after
from tests.effort import examples
from tests.ledger.test_following import append, append_next, write_at_random

Place = tuple[Any, int]
Step = tuple[str, int]
WRITERS = 4


class Follower:
    """Goes on from a position, which has an entry for each node."""

    def __init__(self, ledger: LedgerStore) -> None:
        self._ledger = ledger
        self.position = ledger.recorder.head()
        self.seen: list[Place] = []

    def read(self) -> None:
        found = self._ledger.recorder.select_after(self.position, 1000)
        self.position = position_after(self.position, (notification.id for notification in found))
        self.seen += [(found.originator_id, found.originator_version) for found in found]


def recorded(url: str) -> set[Place]:
    with psycopg.connect(url) as conn:
        return set(conn.execute("SELECT originator_id, originator_version FROM combatlog.ledger_events").fetchall())


def require_all_once_and_in_order(seen: Sequence[Place], expected: set[Place]) -> None:
    assert len(seen) == len(set(seen))
    assert set(seen) == expected
    by_encounter: dict[UUID, list[int]] = {}
    for encounter, seq in seen:
        by_encounter.setdefault(encounter, []).append(seq)
    assert all(numbers == sorted(numbers) for numbers in by_encounter.values())


def follow(nodes: list[str], follower: Follower, schedule: Sequence[Step]) -> list[Place]:
    """Writers on every node, each with a transaction of its own; `at once` is delegated to the encounter's node."""
    with ExitStack() as stack:
        writers = [stack.enter_context(psycopg.connect(nodes[n % len(nodes)])) for n in range(WRITERS)]
        at_once = [stack.enter_context(psycopg.connect(node, autocommit=True)) for node in nodes]
        for step, number in schedule:
            match step:
                case "append":
                    append(writers[number])
                case "at once":
                    append(at_once[number % len(nodes)])
                case "commit":
                    writers[number].commit()
                case "abort":
                    writers[number].rollback()
                case _:
                    follower.read()
        for writer in writers:
            writer.commit()
    follower.read()
    return follower.seen


LATE_COMMIT: list[Step] = [("append", 1), *[("at once", n % 3) for n in range(6)], ("look", 0), ("commit", 1)]


def test_an_event_that_commits_late_is_not_passed_over(ledger: LedgerStore, database: str, nodes: list[str]) -> None:
    require_all_once_and_in_order(follow(nodes, Follower(ledger), LATE_COMMIT), recorded(database))


def test_a_follower_that_goes_by_what_it_sees_passes_over_it(
    ledger: LedgerStore, database: str, nodes: list[str]
) -> None:
    """Each node's highest number, as if nothing below it could be missing."""

    class Naive(Follower):
        def read(self) -> None:
            marks = self._ledger.recorder.last_notifications()
            found = self._ledger.recorder.select_after(self.position, 1000, marks=marks)
            self.position = position_after(self.position, (notification.id for notification in found))
            self.seen += [(found.originator_id, found.originator_version) for found in found]

    encounter = uuid4()
    follower = Naive(ledger)
    with psycopg.connect(nodes[1]) as slow, psycopg.connect(nodes[2], autocommit=True) as quick:
        append_next(slow, encounter, 1)
        for _ in range(20):
            append(quick)
        follower.read()
        slow.commit()
    follower.read()
    assert set(follower.seen) == recorded(database) - {(encounter, 1)}


steps = st.tuples(
    st.sampled_from(["append", "append", "at once", "commit", "abort", "look", "look"]), st.integers(0, WRITERS - 1)
)


class HeadsFollower(Follower):
    """Wants to know only in which encounters something is new; here, each has one event."""

    def __init__(self, ledger: LedgerStore) -> None:
        super().__init__(ledger)
        self.position = ledger.recorder.settled_nodes()

    def read(self) -> None:
        before, self.position = self.position, self._ledger.recorder.settled_nodes()
        self.seen += self._ledger.recorder.heads_between(before, self.position)


@pytest.mark.parametrize("kind", [Follower, HeadsFollower])
@examples(30)
@given(schedule=st.lists(steps, max_size=25))
def test_whatever_the_order_and_the_node_everything_is_seen_once(
    ledger: LedgerStore, database: str, nodes: list[str], kind: type[Follower], schedule: list[Step]
) -> None:
    before = recorded(database)
    require_all_once_and_in_order(follow(nodes, kind(ledger), schedule), recorded(database) - before)


def test_subscriptions_on_every_node_get_every_event_once(database: str, nodes: list[str]) -> None:
    """Four writers on all nodes, with transactions that commit and abort; one follower on each node."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(WRITERS))
        ledgers = [stack.enter_context(LedgerStore.open(node)) for node in nodes]
        following = [stack.enter_context(ledger.recorder.subscribe(gt=0)) for ledger in ledgers]
        writing = [pool.submit(write_at_random, nodes[n % len(nodes)], n, 25) for n in range(WRITERS)]
        for writer in writing:
            writer.result()
        expected = recorded(database)
        for subscription in following:
            seen = [_place(next(subscription)) for _ in expected]
            require_all_once_and_in_order(seen, expected)


def _place(notification: Notification) -> Place:
    return notification.originator_id, notification.originator_version


def test_a_position_has_an_entry_for_each_node_and_can_be_gone_on_from(database: str, nodes: list[str]) -> None:
    with combatlog.open(nodes[1]) as ledger:
        for name in "abcdefgh":
            ledger.new(name)
        events = ledger.follow(after={})
        first = [next(events) for _ in range(4)]
        position = events.position
        assert isinstance(position, dict)
        assert set(position) <= {1, 2}
        events.stop()
        with ledger.follow(after=position) as rest:
            names = [getattr(event, "name", None) for event in [*first, *(next(rest) for _ in range(4))]]
    assert sorted(str(name) for name in names) == list("abcdefgh")
