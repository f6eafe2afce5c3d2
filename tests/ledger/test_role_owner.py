"""Roles made by an owner who is no superuser but may make roles, as managed servers have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from cli.app import main
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store import schema
from ledger.store.ledger import LedgerStore
from projections.readmodels.reading import ensure_role
from projections.readmodels.session import catch_up
from projections.statistics.answers import statistics
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import Statistic

NEWEST = ("tcp_server",)


@pytest.fixture
def own_roles(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Roles belong to a whole server: here they have names of their own, so that nobody has made them before."""
    mark = uuid4().hex[:12]
    names = {schema.WRITER: f"writer_{mark}", schema.READER: f"auditor_{mark}"}
    text = schema.script()
    for usual, name in names.items():
        text = text.replace(usual, name)
    monkeypatch.setattr(schema, "script", lambda: text)
    monkeypatch.setattr(schema, "WRITER", names[schema.WRITER])
    monkeypatch.setattr(schema, "READER", names[schema.READER])
    return names


@pytest.fixture
def owner(server: str, make_database: Callable[[str], str], own_roles: dict[str, str]) -> Iterator[str]:
    """The URL of one who owns a database, may make roles, and is no superuser."""
    database = make_database(server)
    name = f"owner_{uuid4().hex[:12]}"
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} LOGIN CREATEROLE PASSWORD 'own'").format(Identifier(name)))
        conn.execute(SQL("GRANT CREATE ON DATABASE {} TO {}").format(Identifier(conn.info.dbname), Identifier(name)))
    yield make_conninfo(database, user=name, password="own")
    with psycopg.connect(database, autocommit=True) as conn:
        for role in (*own_roles.values(), name):
            if conn.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is not None:
                conn.execute(SQL("DROP OWNED BY {} CASCADE").format(Identifier(role)))
                conn.execute(SQL("DROP ROLE {}").format(Identifier(role)))


def who(ledger: LedgerStore) -> str:
    with ledger.recorder.datastore.get_connection() as conn:
        found = conn.execute("SELECT current_user AS who").fetchone()
    assert found is not None
    return str(found["who"])


@pytest.mark.slow
def test_a_fresh_ledger_gets_roles_and_the_owner_works_as_the_writer(owner: str) -> None:
    with LedgerStore.open(owner) as ledger:
        assert who(ledger) == schema.WRITER
        Referee(ledger).open(Opening(name="bridge", dice="committed"))
        assert [listed.name for listed in ledger.list_encounters()] == ["bridge"]
        assert catch_up(ledger) == 1
        assert who(ledger) == schema.WRITER


def test_who_may_not_take_on_the_reading_role_gets_statistics_all_the_same(server: str, owner: str) -> None:
    """It belongs to the whole server, and here somebody else has made it."""
    with psycopg.connect(server) as conn, conn.cursor() as cursor:
        ensure_role(cursor)
    with LedgerStore.open(owner) as ledger:
        assert statistics(ledger, Statistic.LUCK, StatisticScope())


def run(monkeypatch: pytest.MonkeyPatch, owner: str) -> int:
    monkeypatch.setattr("sys.argv", ["combatlog", "--database", owner, "db", "roles", "--apply"])
    with pytest.raises(SystemExit) as exited:
        main()
    return int(exited.value.code or 0)


def test_the_owner_can_apply_the_roles_again_and_let_people_in(owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LedgerStore.open(owner).close()
    assert [run(monkeypatch, owner) for _ in range(2)] == [0, 0]
    guest = f"guest_{uuid4().hex[:12]}"
    with psycopg.connect(owner, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} LOGIN PASSWORD 'g'").format(Identifier(guest)))
        conn.execute(SQL("GRANT {} TO {}").format(Identifier(schema.WRITER), Identifier(guest)))
        with LedgerStore.open(make_conninfo(owner, user=guest, password="g")) as ledger:
            Referee(ledger).open(Opening(name="guests"))
        conn.execute(SQL("DROP ROLE {}").format(Identifier(guest)))


def test_roles_that_somebody_else_made_are_used_as_far_as_they_can_be(
    server: str, owner: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The owner may let them work on the ledger, but not take them on: an administrator has to grant that."""
    with psycopg.connect(server, autocommit=True) as conn:
        for name in (schema.WRITER, schema.READER):
            conn.execute(SQL("CREATE ROLE {} NOLOGIN").format(Identifier(name)))
    with LedgerStore.open(owner) as ledger:
        assert who(ledger).startswith("owner_")
        Referee(ledger).open(Opening(name="bridge"))
    assert run(monkeypatch, owner) == 0
    assert f"GRANT {schema.WRITER} TO owner_" in capsys.readouterr().out
    with psycopg.connect(server, autocommit=True) as conn:
        user = psycopg.conninfo.conninfo_to_dict(owner)["user"]
        conn.execute(SQL("GRANT {} TO {}").format(Identifier(schema.WRITER), Identifier(str(user))))
    with LedgerStore.open(owner) as ledger:
        assert who(ledger) == schema.WRITER
