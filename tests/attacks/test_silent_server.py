"""A server that takes connections and answers none is given up soon, wherever in a command it happens."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ledger.errors import DatabaseProblem
from ledger.exchange.backup import connected
from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from projections.readmodels.recorder import ReadModels
from projections.readmodels.schema_and_login import query_connection
from projections.readmodels.session import ReadModelSession, session
from tests.attacks.silent_server import SilentServer
from tests.cli.conftest import Run

LEAST = 2
"""Seconds: the shortest timeout that libpq knows."""

pytestmark = pytest.mark.parametrize("server", ["tcp_server"], indirect=True)


@pytest.fixture
def silent(database: str) -> Iterator[SilentServer]:
    known = conninfo_to_dict(database)
    silent = SilentServer(str(known["host"]), int(str(known["port"])))
    yield silent
    silent.close()


@pytest.fixture
def by_way(silent: SilentServer, database: str) -> str:
    """The URL of the database by way of that server."""
    return make_conninfo(database, port=silent.port, connect_timeout=LEAST)


@pytest.mark.slow
def test_a_command_asks_a_silent_server_once(
    run: Run, silent: SilentServer, by_way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent.fall_silent()
    monkeypatch.setenv(URL_VARIABLE, by_way)
    assert run("status", "Bridge").code == "database/unreachable"
    assert silent.unanswered == 1


LOST: dict[str, Callable[[ReadModelSession], object]] = {
    "reading an encounter": lambda opened: opened.ledger.has("Bridge"),
    "reading the log of all events": lambda opened: opened.ledger.recorder.select_notifications(1, 10),
    "reading how far the read models are": lambda opened: opened.models.max_tracking_id("ledger"),
    "bringing events in": lambda opened: opened.catch_up(),
}


def work_without(silent: SilentServer, ledger: LedgerStore, work: Callable[[ReadModelSession], object]) -> None:
    with session(ledger) as opened:
        silent.fall_silent()
        work(opened)


@pytest.mark.slow
@pytest.mark.parametrize("work", LOST.values(), ids=LOST)
def test_a_server_that_falls_silent_during_a_command_is_not_asked_again_and_again(
    silent: SilentServer, by_way: str, work: Callable[[ReadModelSession], object]
) -> None:
    with LedgerStore.open(by_way) as ledger, pytest.raises(DatabaseProblem) as raised:
        work_without(silent, ledger, work)
    assert raised.value.code == "database/unreachable"
    assert silent.unanswered <= 2  # the library alone would try ten times


def settings(conn: Connection[Any]) -> dict[str, str]:
    return conn.info.get_parameters()


def of_the_first(url: str) -> dict[str, str]:
    with LedgerStore.open(url) as ledger, ledger.recorder.hold() as conn:
        return settings(conn)


def of_a_later_one(url: str) -> dict[str, str]:
    with LedgerStore(url) as ledger, ledger.recorder.hold() as conn:
        return settings(conn)


def of_read_models(url: str) -> dict[str, str]:
    with LedgerStore.open(url), ReadModels.open(url) as models, models.datastore.get_connection() as conn:
        return settings(conn)


def of_queries(url: str) -> dict[str, str]:
    with LedgerStore.open(url) as ledger, session(ledger) as opened, query_connection(opened.conn) as conn:
        return settings(conn)


def of_upkeep(url: str) -> dict[str, str]:
    with connected(url) as conn:
        return settings(conn)


EVERYWHERE = (of_the_first, of_a_later_one, of_read_models, of_queries, of_upkeep)


@pytest.mark.parametrize("made", EVERYWHERE)
def test_every_connection_has_a_time_limit_that_the_url_can_change(
    made: Callable[[str], dict[str, str]], database: str
) -> None:
    LedgerStore.open(database).close()
    assert made(database)["connect_timeout"] == "5"
    assert made(make_conninfo(database, connect_timeout=77))["connect_timeout"] == "77"


def test_the_url_also_says_how_long_a_lost_server_is_waited_for(database: str) -> None:
    with LedgerStore.open(make_conninfo(database, connect_timeout=77)) as ledger:
        assert ledger.recorder.datastore.pool.timeout == 77


def test_a_machine_that_has_vanished_is_noticed(database: str) -> None:
    """The operating system would wait a quarter of an hour for an answer, and for hours if nothing was asked."""
    with (
        LedgerStore.open(database) as ledger,
        ledger.recorder.hold() as conn,
        socket.fromfd(conn.fileno(), socket.AF_INET, socket.SOCK_STREAM) as wire,
    ):
        assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
        assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10
