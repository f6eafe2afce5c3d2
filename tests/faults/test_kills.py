"""Kill the client, its backend, and the whole server, in the middle of writing."""

from __future__ import annotations

import os
import signal
from random import Random

import psycopg
import pytest

from ledger.store.database import EmbeddedPostgres
from ledger.store.ledger import LedgerStore
from tests.effort import chances
from tests.faults.scene import ENCOUNTER, acknowledged, check, open_fight, rest_of, spawn, wait_for
from tests.faults.servers import kill_backends, kill_server


@chances(1, 5, soak=200)
def test_killing_the_client(ledger: LedgerStore, database: str, chance: int) -> None:
    open_fight(ledger)
    process = spawn(database, 100_000)
    said = wait_for(process, Random(chance).randrange(1, 40))
    os.kill(process.pid, signal.SIGKILL)
    check(ledger, acknowledged(said + rest_of(process)))


@pytest.mark.slow
@chances(1, 4, soak=100)
def test_killing_the_backends_of_two_writers(ledger: LedgerStore, database: str, chance: int) -> None:
    """Each writer repeats what was not acknowledged, with the same id, and all of it ends up there once."""
    open_fight(ledger)
    writers = [spawn(database, 60) for _ in range(2)]
    said = []
    with psycopg.connect(database, autocommit=True) as killer:
        for _ in range(5):
            said += [line for writer in writers for line in wait_for(writer, Random(chance).randrange(1, 8))]
            kill_backends(killer)
    for writer in writers:
        said += rest_of(writer)
    assert [writer.returncode for writer in writers] == [0, 0]
    commands = acknowledged(said)
    assert len(commands) == 120
    with LedgerStore.open(database) as fresh:
        check(fresh, commands)


@pytest.mark.slow
@chances(1, 1, soak=20)
def test_killing_the_server(own_server: EmbeddedPostgres, chance: int) -> None:
    """A writer finds the server dead, starts it again and goes on where it was."""
    with LedgerStore.open(own_server.start()) as ledger:
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
    with LedgerStore.open(own_server.start()) as ledger:
        check(ledger, commands)
        assert len(ledger.find(ENCOUNTER).events) > 200


@pytest.mark.slow
def test_a_server_that_died_is_started_again_by_the_same_process(own_server: EmbeddedPostgres) -> None:
    with LedgerStore.open(own_server.start()) as ledger:
        open_fight(ledger)
    kill_server(own_server)
    assert own_server.running_url() is None
    with LedgerStore.open(own_server.start()) as ledger:
        check(ledger, [])
