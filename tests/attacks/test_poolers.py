"""A pooler before the server, which may give every transaction another session, and a session to anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import tuple_row

import combatlog
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.events import Declared
from ledger.store.connections import keeps_settings
from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import rebuild
from projections.readmodels.runner import ReadModelFollower
from tests.cli.conftest import Run
from tests.pooler import MODES, SHARED, Pooler, pooling

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})


@pytest.fixture
def database(tcp_server: str, make_database: Callable[[str], str]) -> str:
    """Without the pooler."""
    return make_database(tcp_server)


@pytest.fixture(params=MODES)
def pooler(request: pytest.FixtureRequest, server_folder: Path, database: str) -> Iterator[Pooler]:
    with pooling(server_folder, database, request.param) as pooler:
        yield pooler


@pytest.fixture
def pooled(pooler: Pooler, database: str) -> str:
    return pooler.url(database)


@pytest.fixture
def cli_database(pooled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(URL_VARIABLE, pooled)
    return pooled


FIGHT = (
    ("new", "bridge", "--dice", "committed"),
    ("join", "bridge", "fighter", "--as", "Rurik", "--at", "1,1"),
    ("join", "bridge", "goblin", "--as", "Snig", "--at", "2,1", "--side", "foes"),
    ("rule", "bridge", "rurik", "--set", "hp=9", "--reason", "the bridge burns"),
    ("rule", "bridge", "--note", "rain", "--reason", "it rains"),
    ("undo", "bridge", "--reason", "it does not rain", "--yes"),
    ("fork", "bridge", "--as", "ford"),
    ("status", "bridge"),
    ("list",),
    ("verify", "--all"),
    ("stats", "corrections"),
    ("projections", "status"),
    ("projections", "rebuild"),
    ("projections", "run", "--once"),
    ("db", "status"),
)


@pytest.mark.slow
def test_a_fight_is_played_corrected_and_counted(run: Run, tmp_path: Path) -> None:
    for command in FIGHT:
        ran = run(*command)
        assert (ran.status, ran.err) == (0, ""), command
    assert run("sql", "SELECT name FROM encounters ORDER BY name", "--csv").out.split() == ["name", "bridge", "ford"]
    assert run("export", "--all", "--output", str(tmp_path / "export.jsonl")).status == 0


def test_a_backup_is_restored_through_it(
    run: Run, tmp_path: Path, pooler: Pooler, tcp_server: str, make_database: Callable[[str], str]
) -> None:
    backup = str(tmp_path / "backup.jsonl")
    for command in (*FIGHT[:4], ("db", "backup", backup)):
        assert run(*command).status == 0
    other = pooler.url(make_database(tcp_server))
    assert run("--database", other, "db", "restore", backup).status == 0
    assert run("--database", other, "status", "bridge").out == run("status", "bridge").out


def test_what_is_recorded_is_followed(pooled: str) -> None:
    with combatlog.open(pooled) as mine, mine.follow() as following, ReadModelFollower(pooled) as follower:
        with LedgerStore.open(pooled) as other:
            opened = Referee(other).open(Opening(name="bridge")).events
            noted = Referee(other).declare("bridge", NOTE).events
        assert [next(following) for _ in range(len(opened) + len(noted))] == [*opened, *noted]
        follower.wait_for(mine.store.recorder.head(), timeout=60)
        assert mine.sql("SELECT count(*) FROM declarations").rows == [(1,)]


def write(url: str, count: int) -> None:
    with LedgerStore.open(url) as ledger:
        referee = Referee(ledger)
        for _ in range(count):
            referee.declare("bridge", NOTE)


def test_writers_of_one_encounter_take_turns(pooled: str) -> None:
    with LedgerStore.open(pooled) as ledger:
        Referee(ledger).open(Opening(name="bridge"))
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(lambda _: write(pooled, 15), range(3)))
        assert sum(isinstance(event, Declared) for event in ledger.find("bridge").events) == 45
        assert verify(ledger, "bridge").findings == []


LEFT = """
SELECT current_user::text, current_setting('idle_in_transaction_session_timeout'), current_setting('lock_timeout'),
       (SELECT count(*) FROM pg_prepared_statements), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')"""


@pytest.mark.parametrize("pooler", ["transaction"], indirect=True)
def test_nothing_is_left_in_a_session_that_others_get(pooled: str, run: Run) -> None:
    with LedgerStore.open(pooled) as ledger:
        Referee(ledger).open(Opening(name="bridge"))
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda _: write(pooled, 10), range(2)))
        run("stats", "corrections")
        rebuild(pooled)
    with ExitStack() as stack:
        for _ in range(SHARED):
            conn = stack.enter_context(psycopg.connect(pooled))
            assert conn.execute(LEFT).fetchall() == [("combatlog", "0", "0", 0, 0)]


def test_without_a_pooler_statements_stay_prepared_and_the_role_is_taken(database: str) -> None:
    with LedgerStore.open(database) as ledger, ledger.recorder.hold() as conn:
        ledger.recorder.settled()
        assert keeps_settings(conn)
        with conn.cursor(row_factory=tuple_row) as cursor:
            cursor.execute("SELECT current_user::text, count(*) FROM pg_prepared_statements")
            assert cursor.fetchall() == [("combatlog_writer", 1)]


def test_a_pooler_is_recognized(pooled: str) -> None:
    with LedgerStore.open(pooled) as ledger, ledger.recorder.hold() as conn:
        assert not keeps_settings(conn)


@pytest.mark.parametrize(
    ("knows_everybody", "login", "why"),
    [
        (False, "", "a pooler in front of it, does not let this user log in: .*FATAL"),
        (True, "combatlog", "a pooler in front of the server logs this user in as combatlog"),
    ],
    ids=["does not know the user for queries", "logs everybody in as the owner"],
)
def test_a_query_is_refused_when_the_pooler(
    server_folder: Path, database: str, knows_everybody: bool, login: str, why: str
) -> None:
    with (
        pooling(server_folder, database, "transaction", knows_everybody=knows_everybody, login=login) as pooler,
        combatlog.open(pooler.url(database)) as ledger,
        pytest.raises(Problem, match=why) as caught,
    ):
        ledger.sql("SELECT 1")
    assert caught.value.code == "sql/no-login"
