"""Servers that are not as one would wish: another encoding, a standby, read-only, an owner who may not create roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

import combatlog
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store import schema
from ledger.store.ledger import LedgerStore
from projections.readmodels import reading, schema_and_login
from projections.readmodels.session import catch_up, status_of
from projections.statistics.answers import statistics
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import Statistic


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_is_not_utf8_is_refused(embedded: str, encoding: str) -> None:
    name = f"test_{uuid4().hex}"
    with psycopg.connect(embedded, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")  # type: ignore[call-overload]
        try:
            with pytest.raises(Problem, match=f"has the encoding {encoding}") as caught:
                LedgerStore.open(make_conninfo(embedded, dbname=name))
        finally:
            conn.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]
    assert caught.value.code == "database/encoding"


@pytest.fixture(params=["default_transaction_read_only", "standby"])
def read_only(request: pytest.FixtureRequest) -> str:
    """The URL of a ledger with a fight in it that can only be read."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def default_transaction_read_only(database: str) -> str:
    record_a_fight(database)
    with psycopg.connect(database, autocommit=True) as conn:
        name = Identifier(conn.info.dbname)
        conn.execute(SQL("ALTER DATABASE {} SET default_transaction_read_only TO on").format(name))
    return database


@pytest.fixture
def standby(make_standby: Callable[[Callable[[str], None]], str]) -> str:
    return make_standby(record_a_fight)


def record_a_fight(url: str) -> None:
    with LedgerStore.open(url) as ledger:
        Referee(ledger).open(Opening(name="bridge", dice="committed"))
        catch_up(ledger)


@pytest.mark.slow
def test_what_can_only_be_read_is_read_and_not_written(read_only: str) -> None:
    with LedgerStore.open(read_only) as ledger:
        assert [listed.name for listed in ledger.list_encounters()] == ["bridge"]
        assert Referee(ledger).fight("bridge").battle.name == "bridge"
        assert statistics(ledger, Statistic.LUCK, StatisticScope())
        with pytest.raises(Problem, match="can only be read") as caught:
            Referee(ledger).open(Opening(name="second"))
    assert caught.value.code == "database/read-only"


def test_a_standby_is_not_followed_because_it_cannot_tell_what_is_still_to_come(standby: str) -> None:
    """Announcements are locks, and locks are not replicated: a later event may arrive before an earlier one."""
    with combatlog.open(standby) as ledger:
        for follow in (ledger.follow, ledger.fight("bridge").follow):
            with pytest.raises(Problem, match="only on the primary server") as caught:
                follow()
            assert caught.value.code == "database/standby"
        assert status_of(ledger.store).lag.events == 0


@pytest.fixture
def powerless_owner(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of one who owns a database and may not create roles, on a server that has none of ours."""
    mark = uuid4().hex[:12]
    for module, name in ((schema, "WRITER"), (schema_and_login, "READER"), (reading, "READER")):
        monkeypatch.setattr(module, name, f"{name.lower()}_{mark}")
    monkeypatch.setattr(schema, "script", lambda: f"CREATE ROLE writer_{mark}")
    owner = Identifier(f"owner_{mark}")
    with psycopg.connect(empty_database, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} LOGIN PASSWORD 'own'").format(owner))
        conn.execute(SQL("GRANT CREATE ON DATABASE {} TO {}").format(Identifier(conn.info.dbname), owner))
        yield make_conninfo(empty_database, user=f"owner_{mark}", password="own")
        conn.execute(SQL("DROP OWNED BY {} CASCADE").format(owner))
        conn.execute(SQL("DROP ROLE {}").format(owner))


def test_an_owner_who_may_not_create_roles_gets_statistics_but_no_sql(powerless_owner: str) -> None:
    with LedgerStore.open(powerless_owner) as ledger:
        Referee(ledger).open(Opening(name="bridge"))
        assert statistics(ledger, Statistic.LUCK, StatisticScope())
        with pytest.raises(Problem, match="right to create roles") as caught:
            combatlog.Ledger(ledger).sql("SELECT 1")
    assert caught.value.code == "sql/no-login"
