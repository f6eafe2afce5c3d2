"""Reading from a replica: what it has when it keeps up, when it lags, and when it or its primary is gone."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

import combatlog
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store import replica as module
from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from ledger.store.replica import ReplicaLedger
from tests.cli.conftest import Run
from tests.cli.test_watch import command, leave, lines_until
from tests.conftest import free_port
from tests.connection_relay import ConnectionRelay, pass_on
from tests.ledger.test_following import Follower, append, careful, naive, recorded

GONE = "postgresql://postgres@127.0.0.1:{port}/postgres"


class Pair(NamedTuple):
    primary: str
    replica: str

    def record(self, name: str) -> None:
        open_fight(self.primary, name)

    def replay(self, what: str) -> None:
        """`pause` or `resume` what the replica does with the log that it receives."""
        with psycopg.connect(self.replica, autocommit=True) as conn:
            conn.execute(f"SELECT pg_wal_replay_{what}()")  # type: ignore[call-overload]


def open_fight(url: str, name: str) -> None:
    with LedgerStore.open(url) as ledger:
        Referee(ledger).open(Opening(name=name, dice="seed:1", labels=("practice",)))


class Door(ConnectionRelay):
    """In front of a server; whoever comes while it is shut is turned away."""

    is_open = False

    def serve(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            if self.is_open:
                pass_on(client, server)


@pytest.fixture
def pair(make_standby: Callable[[Callable[[str], None]], str]) -> Pair:
    prepared: list[str] = []

    def prepare(url: str) -> None:
        prepared.append(url)
        open_fight(url, "first")

    replica = make_standby(prepare)
    return Pair(prepared[0], replica)


def counted(ledger: combatlog.Ledger) -> int:
    """How many practice fights the statistics know of."""
    return ledger.statistics("hits")[-1].left_out["practice"]


@pytest.mark.slow
def test_a_replica_keeps_up_lags_and_catches_up(pair: Pair, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pair.record("second")
    with combatlog.open(pair.primary, replica=pair.replica) as ledger, ledger.follow(after=0) as following:
        assert counted(ledger) == 2
        lag = ledger.replica_lag()
        assert lag is not None
        assert lag.events == 0
        before = ledger.store.recorder.settled()
        each = before // 2
        assert [next(following).seq for _ in range(before)] == 2 * list(range(1, each + 1))

        pair.replay("pause")
        pair.record("third")
        monkeypatch.setattr(module, "PATIENCE", 0.1)
        assert [ledger.store.recorder.settled() for _ in range(3)] == [before] * 3
        lag = ledger.replica_lag()
        assert lag is not None
        assert lag.events == each
        assert lag.bytes is not None
        assert lag.bytes > 100

        with combatlog.open(pair.primary, replica=pair.replica) as late:
            assert counted(late) == 2
            with pytest.raises(Problem, match="has not caught up") as refused:
                late.follow()
            assert refused.value.code == "replica/behind"
        asked = run("--database", pair.primary, "stats", "hits", "--replica", pair.replica, "--json")
        assert asked.status == 0
        assert asked.err.startswith(f"The replica is {each} events behind (")
        shown = run("--database", pair.primary, "replay", "third", "--replica", pair.replica, "--plain")
        assert shown.code == "ledger/unknown-encounter"

        pair.replay("resume")
        assert next(following).seq == 1
        assert following.position is not None
        assert following.position > before
    shown = run("--database", pair.primary, "replay", "third", "--replica", pair.replica, "--plain")
    assert (shown.status, shown.err) == (0, "")


def test_nothing_is_recorded_through_a_replica(pair: Pair) -> None:
    with combatlog.open(pair.primary, replica=pair.replica) as ledger:
        with pytest.raises(Problem, match="can only be read") as refused:
            ledger.new("second")
        assert refused.value.code == "database/read-only"
    with combatlog.open(pair.primary) as ledger:
        assert [listed.name for listed in ledger.list().encounters] == ["first"]


def test_without_the_primary_a_replica_shows_what_it_has_and_says_so(pair: Pair, run: Run) -> None:
    gone = GONE.format(port=free_port())
    with combatlog.open(gone, replica=pair.replica) as ledger:
        assert ledger.fight("first").state().name == "first"
        lag = ledger.replica_lag()
        assert lag is not None
        assert (lag.events, lag.bytes, lag.seconds) == (None, None, None)
        with pytest.raises(Problem, match="only while the primary server can be reached") as refused:
            ledger.follow()
        assert refused.value.code == "replica/no-primary"
    shown = run("--database", gone, "replay", "first", "--replica", pair.replica, "--plain")
    assert shown.status == 0
    assert shown.err.startswith("The primary server cannot be reached; this is what the replica has")


def test_what_is_no_replica_is_refused(pair: Pair, database: str, run: Run) -> None:
    for primary, replica, code in (
        (pair.primary, GONE.format(port=free_port()), "replica/unreachable"),
        (pair.primary, pair.primary, "replica/no-standby"),
        (database, pair.replica, "replica/other"),
    ):
        assert run("--database", primary, "stats", "hits", "--replica", replica).code == code


def test_without_a_name_nobody_says_that_the_primary_cannot_be_reached(
    pair: Pair, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(URL_VARIABLE)
    shown = run("replay", "first", "--replica", pair.replica, "--plain")
    assert shown.status == 0
    assert shown.err.startswith("No primary server is named; this is what the replica has")
    asked = run("stats", "hits", "--replica", pair.replica)
    assert asked.code == "replica/no-read-models"
    assert "There are no read models on the replica yet. [" in asked.err
    assert "combatlog --database PRIMARY stats hits" in asked.err
    assert "recorded" not in asked.err
    assert run("watch", "first", "--plain", "--replica", pair.replica).code == "replica/primary-not-named"
    assert run("--database", pair.primary, "stats", "hits").status == 0
    with combatlog.open(pair.primary, replica=pair.replica) as ledger:
        assert ledger.store.catch_up()  # type: ignore[attr-defined]
    asked = run("stats", "hits", "--replica", pair.replica)
    assert (asked.status, asked.code) == (0, None)
    with combatlog.open(replica=pair.replica) as ledger, pytest.raises(Problem, match="No primary server is named"):
        ledger.follow()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "misses"), [(careful, False), (naive, True)])
def test_an_event_that_commits_late_on_the_primary_is_not_passed_over(
    pair: Pair, kind: Callable[[LedgerStore], Follower], misses: bool
) -> None:
    """A follower that goes by what the replica has, misses it."""
    with ReplicaLedger.open_beside(pair.replica, pair.primary) as replica, psycopg.connect(pair.primary) as slow:
        follower = kind(replica)
        append(slow)
        for name in ("second", "third"):
            pair.record(name)
            assert replica.catch_up()
            follower.read()
        slow.commit()
        assert replica.catch_up()
        follower.read()
        follower.read()  # what it waited for is there; now it asks how far it may go
        assert (follower.seen != recorded(pair.primary)) == misses


def test_a_second_screen_on_a_replica_shows_everything_once_and_in_order(pair: Pair) -> None:
    """Somebody commits late, and the replica falls behind, while others play."""
    watching = command(pair.primary, "watch", "first", "--plain", "--from", "1", "--replica", pair.replica)
    with combatlog.open(pair.primary) as ledger, psycopg.connect(pair.primary) as slow:
        fight = ledger.fight("first")
        assert lines_until(watching, 1)
        append(slow)
        fight.rule(note="it rains", reason="weather")
        pair.replay("pause")
        fight.rule(note="it pours", reason="weather")
        slow.commit()
        pair.replay("resume")
        last = fight.rule(note="it stops", reason="weather").events[-1].seq
    lines = lines_until(watching, last)
    assert [int(line.split()[0]) for line in lines] == list(range(2, last + 1))
    leave(watching)


def test_a_second_screen_waits_for_a_primary_that_is_away_and_finds_it(pair: Pair) -> None:
    """It was away when the watching began."""
    known = conninfo_to_dict(pair.primary)
    door = Door(str(known["host"]), int(str(known["port"])))
    primary = make_conninfo(pair.primary, port=door.port)
    with closing(door), ReplicaLedger.open_beside(pair.replica, primary) as replica:
        watching = combatlog.Ledger(replica).fight("first").seen_by().watch()
        events = watching.events()
        assert next(events) is None
        assert watching.problem is not None
        assert "only while the primary server can be reached" in watching.problem
        door.is_open = True
        assert next(events) is None
        assert watching.problem is None
        assert next(events) is not None
        watching.stop()
