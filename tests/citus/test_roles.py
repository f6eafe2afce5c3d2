"""Which roles may log in on the nodes of a cluster, and that roles made later work like those that were there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

import combatlog
from ledger.store import schema
from ledger.store.schema import statements
from projections.readmodels import reading, schema_and_login
from projections.readmodels.rebuild import distribute_ledger
from tests.ledger.test_role_owner import own_roles as own_roles

OURS = (schema.WRITER, schema.READER, schema_and_login.READER)


@contextmanager
def made(url: str, name: str, options: str) -> Iterator[str]:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} {}").format(Identifier(name), SQL(options)))  # type: ignore[arg-type]
    try:
        yield name
    finally:
        remove(url, name)


def remove(url: str, *names: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        for name in names:
            conn.execute(SQL("DROP OWNED BY {}").format(Identifier(name)))
            conn.execute(SQL("DROP ROLE {}").format(Identifier(name)))


def who_can_log_in(node: str, *names: str) -> dict[str, bool]:
    with psycopg.connect(node) as conn:
        query = "SELECT rolname, rolcanlogin FROM pg_roles WHERE rolname = ANY(%s)"
        return dict(conn.execute(query, (list(names),)).fetchall())


def test_only_the_roles_of_the_ledger_are_let_in(undistributed: list[str]) -> None:
    coordinator = undistributed[0]
    with made(coordinator, f"combatlog_admins_{uuid4().hex[:8]}", "NOLOGIN") as admins:
        with psycopg.connect(coordinator, autocommit=True) as conn:
            for role in OURS:
                if who_can_log_in(coordinator, role):
                    conn.execute(SQL("ALTER ROLE {} NOLOGIN").format(Identifier(role)))
        distribute_ledger(coordinator, shards=4)
        for node in undistributed:
            assert who_can_log_in(node, admins, *OURS) == {admins: False, **dict.fromkeys(OURS, True)}


def test_a_role_that_is_made_later_works_through_every_node(
    database: str, nodes: list[str], own_roles: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, auditor = own_roles["combatlog_writer"], own_roles["combatlog_auditor"]
    with psycopg.connect(database, autocommit=True) as conn:
        schema.apply_roles(conn)
    try:
        for node in nodes:
            assert who_can_log_in(node, writer, auditor) == {writer: True, auditor: True}
        with made(database, f"test_{uuid4().hex[:12]}", f"LOGIN IN ROLE {writer}") as user:
            for number, node in enumerate(nodes):
                with combatlog.open(make_conninfo(node, user=user)) as ledger:
                    ledger.new(f"fight {number}", dice="committed").rule(note="it rains", reason="weather")
                    assert ledger.store.role == writer
    finally:
        remove(database, writer, auditor)


def test_an_administrator_can_run_the_printed_script(
    database: str, nodes: list[str], own_roles: dict[str, str]
) -> None:
    """As psql does it: each statement by itself."""
    names = own_roles.values()
    with psycopg.connect(database, autocommit=True) as conn:
        for statement in statements(schema.script()):
            conn.execute(statement.encode())
    try:
        assert [who_can_log_in(node, *names) for node in nodes] == [dict.fromkeys(names, True)] * len(nodes)
    finally:
        remove(database, *names)


def test_a_reader_that_is_made_later_can_log_in(
    database: str, nodes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes the tables makes it: a rebuild, too."""
    name = f"reader_{uuid4().hex[:12]}"
    text = schema._read("roles_on_citus.sql").replace(schema_and_login.READER, name)
    monkeypatch.setattr(schema, "_read", lambda _: text)
    monkeypatch.setattr(reading, "READER", name)
    with psycopg.connect(database) as conn:
        assert reading.ensure_role(conn.cursor()) == name
    try:
        assert [who_can_log_in(node, name) for node in nodes] == [{name: True}] * len(nodes)
    finally:
        remove(database, name)
