"""What somebody who may ask questions in SQL must not reach: seeds, events, files, backends, other roles."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

import combatlog
from combatlog.rules.engine.commands import Opening
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.readmodels.reading import ask
from projections.readmodels.rebuild import rebuild
from projections.readmodels.session import current_session
from tests.cases import each
from tests.clusters import servers

SEEDS = "SELECT to_tsvector(encode(seed, 'hex')) FROM combatlog.dice_seeds"
BACK = "SELECT to_tsvector(set_config('role', 'none', false))"


@pytest.fixture
def opened(ledger: LedgerStore) -> combatlog.Ledger:
    public = combatlog.Ledger(ledger)
    public.begin(Opening(name="bridge", dice="committed"))
    return public


ATTACKS = [
    f"SELECT word FROM ts_stat($${BACK}$$) UNION ALL SELECT word FROM ts_stat($${SEEDS}$$)",
    f"SELECT set_config('role', 'none', false), (SELECT count(*) FROM ts_stat($${SEEDS}$$))",
    "SELECT set_config('role', 'none', false), query_to_xml('TABLE combatlog.dice_seeds', true, true, '')",
    "SELECT set_config('role', 'postgres', false)",
    "SELECT set_config('role', 'combatlog_writer', false)",
    "SELECT set_config('session_authorization', 'postgres', false)",
    "SELECT seed FROM combatlog.dice_seeds",
    "SELECT state FROM combatlog.ledger_events",
    "SELECT password FROM combatlog.query_login",
    "SELECT rolpassword FROM pg_authid",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT pg_read_binary_file('PG_VERSION')",
    "SELECT pg_ls_dir('.')",
    "SELECT lo_import('/etc/hostname')",
    "SELECT pg_create_physical_replication_slot('mine')",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
    "SELECT pg_reload_conf()",
    "SELECT pg_switch_wal()",
    "SELECT set_config('transaction_read_only', 'off', false)",
]


@pytest.mark.parametrize("server", servers("embedded", oldest=True, cluster=False), indirect=True)
@each("query", ATTACKS)
def test_a_query_reaches_nothing_but_the_read_models(opened: combatlog.Ledger, query: str) -> None:
    with pytest.raises(Problem) as caught:
        opened.sql(query)
    assert caught.value.code in ("sql/read-only", "sql/refused")


def test_whatever_a_query_sets_it_stays_the_same_user(opened: combatlog.Ledger) -> None:
    query = "SELECT set_config('role', 'none', false), current_user = session_user, current_user::text"
    ((_, same, user),) = opened.sql(query).rows
    assert same
    assert user.startswith("combatlog_query_")


def test_no_backend_shows_what_it_is_asked(opened: combatlog.Ledger) -> None:
    others = "SELECT query FROM pg_stat_activity WHERE usename = 'postgres' AND query <> '<insufficient privilege>'"
    assert opened.sql(others).rows == []


def test_after_a_rebuild_queries_are_answered(opened: combatlog.Ledger, database: str) -> None:
    assert opened.sql("SELECT count(*) FROM encounters").rows == [(1,)]
    rebuild(database)
    assert opened.sql("SELECT count(*) FROM encounters").rows == [(1,)]


def test_a_user_for_queries_who_was_given_more_rights_is_not_used(opened: combatlog.Ledger, database: str) -> None:
    ((user,),) = opened.sql("SELECT current_user::text").rows
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(SQL("GRANT pg_read_all_data TO {}").format(Identifier(user)))
    with pytest.raises(Problem, match="given more rights") as caught:
        opened.sql("SELECT 1")
    assert caught.value.code == "sql/no-login"


def test_who_cannot_set_up_the_user_is_refused(ledger: LedgerStore) -> None:
    """The writer's role is not the ledger's owner: the query does not run with rights of its own instead."""
    with current_session(ledger) as session:
        session.conn.execute("SET ROLE combatlog_writer")
        with pytest.raises(Problem, match="right to create roles") as caught:
            ask(session.conn, "SELECT 1")
    assert caught.value.code == "sql/no-login"
