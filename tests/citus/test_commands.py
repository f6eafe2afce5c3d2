"""Commands through every node, as users who may do no more than it takes: each node gives the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from uuid import uuid4

import pytest
from psycopg.conninfo import make_conninfo

from ledger.store import schema
from ledger.store.ledger import LedgerStore
from projections.readmodels import schema_and_login
from projections.readmodels.session import catch_up
from tests.citus.test_roles import made
from tests.cli.conftest import Run
from tests.projections.readmodels.support import History

OWNER, AUDITOR, READER, WRITER = "owner", "auditor", "reader", "writer"
MEMBERS = {AUDITOR: (schema.READER,), READER: (schema.READER, schema_and_login.READER), WRITER: (schema.WRITER,)}
QUERY = "SELECT name, events, (SELECT count(*) FROM attacks a WHERE a.encounter = e.encounter) AS attacks"


@pytest.fixture
def users(database: str) -> Iterator[dict[str, str]]:
    """Names of users by what they are; the owner is whoever distributed the ledger."""
    with ExitStack() as stack:
        names = {
            what: stack.enter_context(made(database, f"test_{uuid4().hex[:12]}", f"LOGIN IN ROLE {', '.join(several)}"))
            for what, several in MEMBERS.items()
        }
        yield {**names, OWNER: "postgres"}


@pytest.fixture
def fights(ledger: LedgerStore) -> None:
    for name in ("one", "two", "three", "four"):
        history = History(ledger, name, Random(name))
        for _ in range(3):
            history.grow()
    catch_up(ledger)


ANSWERED = (
    (READER, "stats", "hits", "--by", "weapon", "--csv"),
    (READER, "stats", "luck"),
    (READER, "stats", "compare", "one", "two", "--json"),
    (READER, "projections", "status", "--json"),
    (AUDITOR, "verify", "--all", "--jobs", "1", "--json"),
    (AUDITOR, "verify", "--all", "--jobs", "2"),
    (AUDITOR, "replay", "one", "--plain"),
    (AUDITOR, "export", "three"),
    (WRITER, "log", "two"),
    (OWNER, "sql", f"{QUERY} FROM encounters e ORDER BY name", "--csv"),
    (OWNER, "sql", "--schema"),
)
REFUSED = (
    (AUDITOR, "database/forbidden", "new", "five"),
    (AUDITOR, "database/forbidden", "stats", "hits"),
    (READER, "sql/no-login", "sql", "SELECT 1"),
)


def test_every_node_gives_the_same_answers(nodes: list[str], users: dict[str, str], fights: None, run: Run) -> None:
    for who, *command in ANSWERED:
        ran = [run("--database", make_conninfo(node, user=users[who]), *command) for node in nodes]
        assert [(one.status, one.err) for one in ran] == [(0, "")] * len(nodes), command
        assert len(ran[0].out) > 30, command
        assert [one.out for one in ran] == [ran[0].out] * len(nodes), command
    for who, code, *command in REFUSED:
        ran = [run("--database", make_conninfo(node, user=users[who]), *command) for node in nodes]
        assert [one.code for one in ran] == [code] * len(nodes), command
