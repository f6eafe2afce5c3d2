"""What the writer and the reader cannot do, and that the tool is the writer."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from ledger.store.schema import READER, WRITER, apply_roles
from tests.cases import each


@pytest.fixture
def users(database: str) -> Iterator[dict[str, str]]:
    """URLs of two people who log in as themselves and are a writer and a reader, and of one who is nobody."""
    with LedgerStore.open(database) as ledger:
        Referee(ledger).open(Opening(name="bridge", dice="committed"))
    names = {role: f"{role}_{uuid4().hex[:12]}" for role in (WRITER, READER, "nobody")}
    with psycopg.connect(database, autocommit=True) as conn:
        for role, name in names.items():
            conn.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'own'")  # type: ignore[call-overload]
            if role != "nobody":
                conn.execute(f"GRANT {role} TO {name}")  # type: ignore[call-overload]
    yield {role: make_conninfo(database, user=name, password="own") for role, name in names.items()}
    with psycopg.connect(database, autocommit=True) as conn:
        for name in names.values():
            conn.execute(f"DROP ROLE {name}")  # type: ignore[call-overload]


FOR_NEITHER = [
    "UPDATE combatlog.ledger_events SET topic = 'x'",
    "DELETE FROM combatlog.ledger_events",
    "TRUNCATE combatlog.ledger_events",
    "DROP TABLE combatlog.ledger_events",
    "ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only",
    "DROP TRIGGER append_only ON combatlog.ledger_events",
    "CREATE OR REPLACE FUNCTION combatlog.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "LOCK TABLE combatlog.ledger_events IN EXCLUSIVE MODE",
    "INSERT INTO combatlog.ledger_events VALUES (gen_random_uuid(), 1, 'x', '', sha256(''))",
    "SELECT setval('combatlog.ledger_events_notification_id_seq', 1)",
    "CREATE TABLE combatlog.more (x int)",
    "SET session_replication_role = replica",
    "INSERT INTO combatlog.schema_version VALUES (99)",
    "UPDATE combatlog.dice_seeds SET seed = sha256('')",
    "DELETE FROM combatlog.dice_seeds",
]


@each("role", [WRITER, READER])
@each("statement", FOR_NEITHER)
def test_neither_can_change_anything(users: dict[str, str], role: str, statement: str) -> None:
    with psycopg.connect(users[role]) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(statement)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT combatlog.append_events(gen_random_uuid(), 1, '{}', '{}', '{}')",
        "SELECT * FROM combatlog.dice_seeds",
        "INSERT INTO combatlog.dice_seeds VALUES (gen_random_uuid(), sha256(''))",
    ],
)
def test_a_reader_can_neither_append_nor_learn_the_dice(users: dict[str, str], statement: str) -> None:
    with psycopg.connect(users[READER], autocommit=True) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(statement)  # type: ignore[call-overload]


def test_a_writer_can_play_and_a_reader_can_look(users: dict[str, str]) -> None:
    with LedgerStore.open(users[WRITER]) as ledger:
        Referee(ledger).open(Opening(name="second", dice="committed"))
    with LedgerStore.open(users[READER]) as ledger:
        assert [listed.name for listed in ledger.list_encounters()] == ["bridge", "second"]
        with pytest.raises(Problem) as caught:
            Referee(ledger).open(Opening(name="third"))
    assert caught.value.code == "database/forbidden"


def test_one_who_is_neither_is_told_so(users: dict[str, str]) -> None:
    with pytest.raises(Problem) as caught:
        LedgerStore.open(users["nobody"])
    assert caught.value.code == "database/forbidden"


def test_the_tool_works_as_the_writer_even_for_the_owner(database: str) -> None:
    with LedgerStore.open(database) as ledger, ledger.recorder.datastore.get_connection() as conn:
        assert conn.execute("SELECT current_user AS who").fetchone() == {"who": WRITER}


def test_without_roles_it_works_with_the_rights_of_the_user(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as conn, LedgerStore.open(database):
        conn.execute(f"REVOKE USAGE ON SCHEMA combatlog FROM {WRITER}")  # type: ignore[call-overload]
    with LedgerStore.open(database) as ledger, ledger.recorder.datastore.get_connection() as conn:
        assert conn.execute("SELECT current_user AS who").fetchone() == {"who": "postgres"}
    with LedgerStore.open(database) as ledger:
        Referee(ledger).open(Opening(name="bridge"))


def test_who_may_not_make_roles_is_told_what_to_do(users: dict[str, str]) -> None:
    with psycopg.connect(users["nobody"], autocommit=True) as conn, pytest.raises(Problem) as caught:
        apply_roles(conn)
    assert caught.value.code == "database/no-roles"


def test_the_append_function_looks_nothing_up_in_the_callers_path(users: dict[str, str]) -> None:
    """A function with its owner's rights must not run what a caller puts in its way."""
    with psycopg.connect(users[WRITER], autocommit=True) as conn:
        settings = conn.execute("SELECT proconfig FROM pg_proc WHERE proname = 'append_events'").fetchone()
    assert settings == (["search_path=pg_catalog, pg_temp"],)
