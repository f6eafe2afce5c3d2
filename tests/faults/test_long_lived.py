"""One process keeps the ledger open and notes and corrects, while it, its backend, its server or a pooler is killed."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from uuid import UUID

import psycopg
import pytest

from ledger.store.database import EmbeddedPostgres
from ledger.store.ledger import LedgerStore
from tests.effort import chances, often
from tests.faults.scene import (
    ENCOUNTER,
    acknowledged,
    check_corrections,
    open_fight,
    rest_of,
    spawn,
    spawn_long_lived,
    wait_for,
)
from tests.faults.servers import kill_backends, kill_server
from tests.pooler import MODES, pooling

NUMBERS = 12
"""How many notes it makes and corrects."""
KILLS = often(1, 2, soak=5)


def go_through(writer: subprocess.Popen[str], kill: Callable[[], None], chance: int, kills: int = KILLS) -> list[UUID]:
    """What is acknowledged while something is killed again and again; the writer gets to its end all the same."""
    said = []
    for _ in range(kills):
        for _ in range(Random(chance).randrange(1, 2 * NUMBERS // kills)):
            said += wait_for_acknowledgement(writer)
        kill()
    said += rest_of(writer)
    assert writer.returncode == 0
    commands = acknowledged(said)
    assert len(commands) == 2 * NUMBERS
    return commands


def test_what_is_asked_after_its_backend_was_killed_is_answered(ledger: LedgerStore, database: str) -> None:
    open_fight(ledger)
    events = ledger.find(ENCOUNTER).events
    with psycopg.connect(database, autocommit=True) as killer:
        kill_backends(killer)
    assert ledger.find(ENCOUNTER).events == events


def wait_for_acknowledgement(writer: subprocess.Popen[str]) -> list[str]:
    """Problems first, if there are any. What answers is running, and can be killed again."""
    said = wait_for(writer, 1)
    return said if acknowledged(said) else said + wait_for_acknowledgement(writer)


@pytest.mark.slow
@chances(1, 2, soak=60)
def test_its_backend_is_killed(ledger: LedgerStore, database: str, chance: int) -> None:
    open_fight(ledger)
    with psycopg.connect(database, autocommit=True) as killer:
        commands = go_through(spawn_long_lived(database, 1, NUMBERS), lambda: kill_backends(killer), chance)
    check_corrections(ledger, commands)


@pytest.mark.slow
@chances(1, 1, soak=30)
def test_its_backend_is_killed_while_another_writes_to_the_same_fight(
    ledger: LedgerStore, database: str, chance: int
) -> None:
    """It loses races, takes turns, and dies in the middle of them."""
    open_fight(ledger)
    other = spawn(database, 30)
    with psycopg.connect(database, autocommit=True) as killer:
        commands = go_through(spawn_long_lived(database, 1, NUMBERS), lambda: kill_backends(killer), chance)
    assert len(acknowledged(rest_of(other))) == 30
    check_corrections(ledger, commands)


@pytest.mark.slow
@chances(1, 1, soak=20)
def test_its_server_is_killed(own_server: EmbeddedPostgres, chance: int) -> None:
    with LedgerStore.open(own_server.start()) as ledger:
        open_fight(ledger)
    writer = spawn_long_lived(str(own_server.folder), 1, NUMBERS)
    commands = go_through(writer, lambda: kill_server(own_server), chance, kills=often(1, 1, soak=3))
    with LedgerStore.open(own_server.start()) as ledger:
        check_corrections(ledger, commands)


@pytest.mark.slow
@chances(1, 3, soak=100)
def test_it_is_killed_and_another_one_repeats_everything(ledger: LedgerStore, database: str, chance: int) -> None:
    """Whatever the first one had done is not done again."""
    open_fight(ledger)
    first = spawn_long_lived(database, 1, 1000)
    said = wait_for(first, Random(chance).randrange(1, 2 * NUMBERS))
    os.kill(first.pid, signal.SIGKILL)
    said += rest_of(first)
    check_corrections(ledger, acknowledged(said))
    second = spawn_long_lived(database, 1, len(said) // 2 + 1)
    repeated = acknowledged(rest_of(second))
    assert set(acknowledged(said)) <= set(repeated)
    check_corrections(ledger, repeated)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@chances(1, 1, soak=20)
def test_a_pooler_is_killed(
    server_folder: Path, tcp_server: str, make_database: Callable[[str], str], mode: str, chance: int
) -> None:
    database = make_database(tcp_server)
    with LedgerStore.open(database) as ledger, pooling(server_folder, database, mode) as pooler:
        open_fight(ledger)
        commands = go_through(spawn_long_lived(pooler.url(database), 1, NUMBERS), pooler.kill_and_start, chance)
        check_corrections(ledger, commands)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@chances(1, 1, soak=20)
def test_the_backends_behind_a_pooler_are_killed(
    server_folder: Path, tcp_server: str, make_database: Callable[[str], str], mode: str, chance: int
) -> None:
    """Two processes share the pooler's sessions."""
    database = make_database(tcp_server)
    with LedgerStore.open(database) as ledger, pooling(server_folder, database, mode) as pooler:
        open_fight(ledger)
        other = spawn(pooler.url(database), 20)
        with psycopg.connect(database, autocommit=True) as killer:
            writer = spawn_long_lived(pooler.url(database), 1, NUMBERS)
            commands = go_through(writer, lambda: kill_backends(killer), chance)
        assert len(acknowledged(rest_of(other))) == 20
        check_corrections(ledger, commands)
