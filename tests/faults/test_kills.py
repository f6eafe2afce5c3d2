"""Kill the client, its backend, and the whole server, in the middle of writing."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import uuid4

import psycopg
import pytest

from ledger.database import Embedded
from ledger.store import Ledger
from tests.faults.conftest import times
from tests.faults.scene import ENCOUNTER, acknowledged, check, open_fight, rest_of, spawn, wait_for


@times(short=5, full=200)
def test_killing_the_client(ledger: Ledger, database: str, chance: int) -> None:
    open_fight(ledger)
    process = spawn(database, 100_000)
    said = wait_for(process, Random(chance).randrange(1, 40))
    os.kill(process.pid, signal.SIGKILL)
    check(ledger, acknowledged(said + rest_of(process)))


@times(short=4, full=100)
def test_killing_the_backends_of_two_writers(ledger: Ledger, database: str, chance: int) -> None:
    """Each writer repeats what was not acknowledged, with the same id, and all of it ends up there once."""
    open_fight(ledger)
    writers = [spawn(database, 60) for _ in range(2)]
    said = []
    with psycopg.connect(database, autocommit=True) as killer:
        for _ in range(5):
            said += [line for writer in writers for line in wait_for(writer, Random(chance).randrange(1, 8))]
            killer.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    for writer in writers:
        said += rest_of(writer)
    assert [writer.returncode for writer in writers] == [0, 0]
    commands = acknowledged(said)
    assert len(commands) == 120
    with Ledger.open(database) as fresh:
        check(fresh, commands)


@pytest.fixture
def own_server(server_folder: Path) -> Iterator[Embedded]:
    """A server that nobody else uses."""
    server = Embedded(server_folder / f"own-{uuid4().hex[:12]}")
    server.start()
    yield server
    server.stop()


def kill_server(server: Embedded) -> None:
    """As a power cut would: the postmaster and everybody it started, at once."""
    postmaster = int((server.folder / "postmaster.pid").read_text().splitlines()[0])
    for pid in [postmaster, *children_of(postmaster)]:
        try:
            handle = os.pidfd_open(pid)
            signal.pidfd_send_signal(handle, signal.SIGKILL)
            select.select([handle], [], [])
            os.close(handle)
        except ProcessLookupError:
            continue  # it went down with another


def children_of(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


@times(short=1, full=20)
def test_killing_the_server(own_server: Embedded, chance: int) -> None:
    """A writer finds the server dead, starts it again and goes on where it was."""
    with Ledger.open(own_server.start()) as ledger:
        open_fight(ledger)
    writer = spawn(str(own_server.folder), 100)
    said = []
    for _ in range(3):
        said += wait_for(writer, Random(chance).randrange(1, 25))
        kill_server(own_server)
    said += rest_of(writer)
    assert writer.returncode == 0
    commands = acknowledged(said)
    assert len(commands) == 100
    with Ledger.open(own_server.start()) as ledger:
        check(ledger, commands)
        assert len(ledger.find(ENCOUNTER).events) > 200


def test_a_server_that_died_is_started_again_by_the_same_process(own_server: Embedded) -> None:
    with Ledger.open(own_server.start()) as ledger:
        open_fight(ledger)
    kill_server(own_server)
    assert own_server.running_url() is None
    with Ledger.open(own_server.start()) as ledger:
        check(ledger, [])
