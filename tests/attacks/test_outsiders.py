"""Somebody who can connect to the database, has no rights in the ledger, and holds every lock they can take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore, encounter_id
from projections.readmodels.rebuild import rebuild
from projections.readmodels.session import catch_up, status_of
from tests.cli.conftest import Run
from tests.clusters import servers

Connection = psycopg.Connection[Any]
NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
ANNOUNCED = "SELECT pg_advisory_lock{}(x'434C000000000000'::bigint + n) FROM generate_series(0, 999) n"
ENCOUNTER = "SELECT pg_advisory_lock{}(x'434C'::integer, uuid_hash('{}'))"
PROJECTING, REBUILDING, INSTALLING = 0x70726F6A, 0x72656275, 0x636F6D626174
APPEND = (
    "INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)"
    " VALUES (gen_random_uuid(), 1, 'x', '', sha256(''))"
)


@pytest.fixture
def bridge(ledger: LedgerStore) -> Referee:
    referee = Referee(ledger)
    referee.open(Opening(name="bridge"))
    catch_up(ledger)
    return referee


@pytest.fixture
def outsider(database: str, bridge: Referee) -> Iterator[Connection]:
    """A user with no rights at all but to connect."""
    with psycopg.connect(database, autocommit=True) as admin:
        user = Identifier(f"outsider_{uuid4().hex[:12]}")
        admin.execute(SQL("CREATE ROLE {} LOGIN PASSWORD 'own'").format(user))
        url = make_conninfo(database, user=user.as_string().strip('"'), password="own")
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute("SET lock_timeout = '10s'")
            yield conn
        admin.execute(SQL("DROP ROLE {}").format(user))


def hold_everything(conn: Connection, how: str) -> None:
    """Every lock that the ledger has ever used, as far as an outsider can take it."""
    conn.execute(ANNOUNCED.format(how))  # type: ignore[call-overload]
    conn.execute(ENCOUNTER.format(how, encounter_id("bridge")))  # type: ignore[call-overload]
    for key in (PROJECTING, REBUILDING):
        conn.execute(f"SELECT pg_advisory_lock{how}({key})")  # type: ignore[call-overload]


@pytest.fixture(params=["", "_shared"], ids=["exclusive", "shared"])
def every_lock(request: pytest.FixtureRequest, outsider: Connection) -> None:
    hold_everything(outsider, request.param)


@pytest.fixture
def impatient(database: str) -> None:
    """Whoever would wait for an outsider fails instead."""
    with psycopg.connect(database, autocommit=True) as conn:
        name = Identifier(conn.info.dbname)
        conn.execute(SQL("ALTER DATABASE {} SET statement_timeout TO '5s'").format(name))


@pytest.mark.slow
@pytest.mark.parametrize("server", servers("embedded", oldest=True, cluster=False), indirect=True)
@pytest.mark.usefixtures("impatient", "every_lock")
def test_nobody_waits_for_the_locks_of_an_outsider(database: str) -> None:
    with LedgerStore.open(database) as ledger:
        start = ledger.recorder.settled()
        referee = Referee(ledger)
        with psycopg.connect(database, autocommit=True) as conn:
            conn.execute("SET lock_timeout = '100ms'")
            assert [row[0] for row in conn.execute("SELECT combatlog.lock_encounter(%s)", (encounter_id("bridge"),))]
        added = referee.declare("bridge", NOTE).events
        assert ledger.recorder.settled() == start + len(added)
        found = ledger.recorder.select_notifications(start + 1, 10)
        assert [notification.topic.partition(".")[0] for notification in found] == [event.kind for event in added]
        assert catch_up(ledger) == len(added)
        assert status_of(ledger).lag.events == 0
        assert [listed.name for listed in ledger.list_encounters()] == ["bridge"]
        rebuild(database)


@pytest.mark.usefixtures("impatient", "every_lock")
def test_every_command_works_meanwhile(run: Run) -> None:
    assert run("rule", "bridge", "--note", "rain", "--reason", "it rains").status == 0
    assert run("list").status == 0
    assert run("status", "bridge").status == 0
    assert run("stats", "luck").err == ""
    assert "are current" in run("projections", "status").out


@pytest.mark.usefixtures("every_lock")
def test_an_append_to_a_locked_encounter_does_not_wait_at_all(bridge: Referee, database: str) -> None:
    """One of ours is waited for up to a second, an outsider not for a moment."""
    with psycopg.connect(database) as conn:
        conn.execute("SET LOCAL statement_timeout TO '500ms'")
        assert conn.execute("SELECT combatlog.wait_for_encounter(%s)", (encounter_id("bridge"),)).fetchone() == (True,)
        conn.execute("SELECT combatlog.lock_encounter(%s)", (encounter_id("bridge"),))


def test_whoever_may_not_name_the_table_gets_no_lock_on_it(outsider: Connection) -> None:
    for statement in (
        "LOCK TABLE combatlog.ledger_events IN ACCESS SHARE MODE",
        "PREPARE mine AS INSERT INTO combatlog.ledger_events DEFAULT VALUES",
        "SELECT combatlog.lock_projecting()",
        "SELECT combatlog.lock_encounter(gen_random_uuid())",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), outsider.transaction():
            outsider.execute(statement)  # type: ignore[call-overload]


@contextmanager
def importing(database: str) -> Iterator[Connection]:
    """A transaction of somebody who may, that has added an event and does not end."""
    with psycopg.connect(database) as conn:
        conn.execute(APPEND)
        yield conn
        conn.rollback()


def test_events_that_wait_for_an_import_are_reported(bridge: Referee, run: Run, database: str) -> None:
    """Their numbers may come after those of the import, and followers must not pass over those."""
    with importing(database):
        added = len(bridge.declare("bridge", NOTE).events)
        waiting = f"{added} recorded events"
        answer = run("stats", "luck")
        assert (answer.status, answer.err.count(waiting)) == (0, 1)
        assert "a transaction of the database user postgres that has been adding events since 20" in answer.err
        status = run("projections", "status")
        assert f"{added} events behind the ledger" in status.out
        assert "of the database user postgres" in status.out
        assert f"{added} events behind" in run("projections", "run", "--once").out
    assert run("stats", "luck").err == ""
    assert "are current" in run("projections", "status").out


def test_a_question_does_not_wait_for_ever_for_whoever_brings_events_in(
    bridge: Referee, run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.readmodels.session.PATIENCE", 0.01)
    added = len(bridge.declare("bridge", NOTE).events)
    with psycopg.connect(database) as other:
        other.execute("SELECT combatlog.lock_projecting()")
        answer = run("stats", "luck")
        assert answer.status == 0
        assert f"{added} recorded events. Another process is bringing them in." in answer.err
    assert run("stats", "luck").err == ""


def test_an_installation_does_not_wait_for_ever(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.store.schema._PATIENCE", "10ms")
    with psycopg.connect(empty_database) as outsider:
        outsider.execute("SELECT pg_advisory_xact_lock(%s)", (INSTALLING,))
        with pytest.raises(Problem, match="try again later") as caught:
            LedgerStore.open(empty_database)
    assert caught.value.code == "database/locked"
    LedgerStore.open(empty_database).close()


def test_a_writer_whose_announcement_an_outsider_has_locked_draws_another_key(
    outsider: Connection, database: str, bridge: Referee, ledger: LedgerStore
) -> None:
    last = ledger.recorder.settled()
    with psycopg.connect(database) as writer:
        writer.execute("SET lock_timeout = '100ms'; SELECT setseed(0.5)")
        (key,) = (
            writer.execute(
                "SELECT x'4300000000000000'::bigint | ((65535 * random())::bigint << 40) | %s", (last,)
            ).fetchone()
            or ()
        )
        outsider.execute("SELECT pg_advisory_lock(%s)", (key,))
        writer.execute("SELECT setseed(0.5)")
        writer.execute(APPEND)
        assert writer.execute("SELECT announced FROM combatlog.writers()").fetchall() == [(last,)]
        bridge.declare("bridge", NOTE)
        assert ledger.recorder.settled() == last
