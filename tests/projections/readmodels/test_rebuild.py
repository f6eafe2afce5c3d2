"""A rebuild is all or nothing, and nobody has to stop reading for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from random import Random
from uuid import UUID

import psycopg
import pytest

from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.readmodels import row_projection
from projections.readmodels.reading import ask
from projections.readmodels.rebuild import rebuild
from projections.readmodels.session import session
from tests.projections.readmodels.support import History, dump

_PAUSED = """
import sys
from projections.readmodels import row_projection
from projections.readmodels.rebuild import rebuild
def pause(done, total):
    print(done, flush=True)
    sys.stdin.readline()
if __name__ == "__main__":
    row_projection.EVENTS_AT_ONCE = 1
    rebuild(sys.argv[1], pause, jobs=int(sys.argv[2]))
"""


@pytest.fixture
def fights(ledger: LedgerStore, database: str) -> int:
    """Some fights, projected; how many."""
    for number in range(3):
        History(ledger, f"fight {number}", Random(number)).grow()
    rebuild(database)
    return len(ledger.list_encounters())


def paused_rebuild(url: str, *, jobs: int = 1) -> subprocess.Popen[str]:
    """A process in the middle of a rebuild: one encounter is in, or one shard."""
    process = subprocess.Popen(
        [sys.executable, "-c", _PAUSED, url, str(jobs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert int(process.stdout.readline()) > 0
    return process


def schemas(url: str) -> set[str]:
    with psycopg.connect(url) as conn:
        return {row[0] for row in conn.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'combatlog%'")}


@pytest.mark.slow
def test_readers_read_on_and_a_killed_rebuild_leaves_nothing_behind(database: str, fights: int) -> None:
    before = dump(database)
    process = paused_rebuild(database)
    with LedgerStore.open(database) as ledger, session(ledger) as opened:
        assert ask(opened.conn, "SELECT count(*) FROM encounters").rows == [(fights,)]
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert schemas(database) == {"combatlog", "combatlog_read"}
    assert dump(database) == before
    assert rebuild(database).events > 0
    assert dump(database) == before
    assert schemas(database) == {"combatlog", "combatlog_read"}


def test_two_rebuilds_at_once_are_refused(database: str, fights: int) -> None:
    process = paused_rebuild(database)
    with pytest.raises(Problem) as caught:
        rebuild(database)
    assert caught.value.code == "projections/rebuilding"
    process.communicate("\n" * fights, timeout=60)
    assert process.returncode == 0
    assert schemas(database) == {"combatlog", "combatlog_read"}


@pytest.mark.slow
def test_a_reader_in_the_middle_of_its_query_finishes_on_the_old_tables(database: str, fights: int) -> None:
    with psycopg.connect(database) as reader, reader.cursor("slow") as cursor:
        cursor.execute("SELECT seq FROM combatlog_read.declarations ORDER BY encounter, seq")
        first = cursor.fetchone()
        process = paused_rebuild(database)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n" * fights)
        process.stdin.flush()
        others = list(cursor)
        assert first is not None
        assert 1 + len(others) == len(dump(database)["declarations"])
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.slow
def test_nobody_waits_for_a_reader_of_the_old_tables_and_a_later_rebuild_removes_them(
    database: str, fights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.readmodels.rebuild._PATIENCE_TO_DROP", 0.1)
    before = dump(database)
    with psycopg.connect(database) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT FROM combatlog_read.declarations")
        assert rebuild(database).still_read == 1
        assert rebuild(database).still_read == 1
        assert dump(database) == before
        assert len(schemas(database)) == 3
    assert rebuild(database).still_read == 0
    assert schemas(database) == {"combatlog", "combatlog_read"}


def test_a_rebuild_does_not_wait_for_ever_for_whoever_brings_events_in(
    database: str, fights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.readmodels.rebuild._PATIENCE_TO_REPLACE", 0.1)
    before = dump(database)
    with psycopg.connect(database) as stuck:
        stuck.execute("SELECT combatlog.lock_projecting()")
        with pytest.raises(Problem) as caught:
            rebuild(database)
    assert caught.value.code == "projections/busy"
    assert dump(database) == before
    assert schemas(database) == {"combatlog", "combatlog_read"}


def test_an_empty_ledger_can_be_rebuilt(ledger: LedgerStore, database: str) -> None:
    assert rebuild(database) == (0, 0, 0)
    with session(ledger) as opened:
        assert ask(opened.conn, "SELECT count(*) FROM encounters").rows == [(0,)]


@pytest.mark.slow
def test_several_processes_make_what_one_makes(
    ledger: LedgerStore, database: str, fights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every range of ids has a few events only, so some of them have none."""
    alone = dump(database)
    monkeypatch.setattr(row_projection, "EVENTS_AT_ONCE", 5)
    made = rebuild(database, jobs=2)
    assert dump(database) == alone
    assert made.events == sum(listed.events for listed in ledger.list_encounters())


def test_the_ranges_of_ids_leave_none_out() -> None:
    three = list(row_projection.id_ranges(3))
    third = 0x55555555555555555555555555555555
    assert three == [
        (UUID(int=0), UUID(int=third - 1)),
        (UUID(int=third), UUID(int=2 * third - 1)),
        (UUID(int=2 * third), UUID(int=2**128 - 1)),
    ]
