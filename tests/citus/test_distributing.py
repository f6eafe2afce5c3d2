"""`db distribute`: what becomes of a ledger, who is refused, and what every node then allows."""

from __future__ import annotations

import json
from io import StringIO
from random import Random
from uuid import uuid4

import psycopg
import pytest
from jsonschema import Draft202012Validator
from psycopg.conninfo import make_conninfo

import combatlog
from combatlog import Undo
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import distribute_ledger, examine_cluster
from projections.readmodels.session import catch_up
from tests import clusters
from tests.cli.conftest import Run
from tests.cli.test_documents import closed_schemas
from tests.projections.readmodels.support import History, dump

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})


def test_an_existing_ledger_keeps_its_events_and_goes_on(undistributed: list[str]) -> None:
    coordinator, worker = undistributed[:2]
    with LedgerStore.open(coordinator) as ledger:
        history = History(ledger, "old", Random(1))
        for _ in range(6):
            history.grow()
        catch_up(ledger)
        old = ledger.find("old").events
    before = dump(coordinator)
    distribute_ledger(coordinator, shards=4)
    with LedgerStore.open(worker) as ledger:
        assert ledger.find("old").events == old
        assert dump(worker) == before
        Referee(ledger).declare("old", NOTE)
        assert catch_up(ledger) == len(ledger.find("old").events) - len(old)
        assert all(not verify(ledger, listed.name).findings for listed in ledger.list_encounters())


def test_who_is_refused(undistributed: list[str]) -> None:
    coordinator, worker = undistributed[:2]
    LedgerStore.open(coordinator).close()
    with psycopg.connect(worker) as conn:
        assert conn.execute("SELECT to_regclass('combatlog.ledger_events')").fetchone() == (None,)
    assert [node.shards for node in examine_cluster(coordinator).nodes] == [0] * len(undistributed)
    found = distribute_ledger(coordinator, shards=4)
    assert sum(node.shards for node in found.nodes) == 4
    assert [refusal(url) for url in undistributed] == [
        "citus/distributed",
        *(["citus/not-coordinator"] * (len(undistributed) - 1)),
    ]


def test_the_command_shows_asks_and_distributes(
    undistributed: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    coordinator = undistributed[0]
    monkeypatch.setenv(URL_VARIABLE, coordinator)
    shown = run("db", "distribute", "--dry-run", "--json")
    assert not json.loads(shown.out)["distributed"]
    assert "would be distributed in 8 shards" in run("db", "distribute", "--dry-run", "--shards", "8").out
    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    assert run("db", "distribute").status == 1
    done = json.loads(run("db", "distribute", "--shards", "8", "--yes", "--json").out)
    schema = closed_schemas()["combatlog:cluster:1"].contents
    Draft202012Validator(schema, registry=closed_schemas()).validate(done)
    assert done["distributed"]
    assert sum(node["shards"] for node in done["nodes"]) == 8
    assert run("db", "distribute", "--yes").code == "citus/distributed"
    monkeypatch.setenv(URL_VARIABLE, undistributed[1])
    assert run("projections", "rebuild").code == "projections/not-coordinator"
    assert "node 1 at notification 0 of 0" in run("projections", "status").out


def refusal(url: str) -> str:
    with pytest.raises(Problem) as caught:
        distribute_ledger(url)
    return caught.value.code


@pytest.mark.parametrize("change", ["DELETE FROM {}", "UPDATE {} SET topic = 'x'", "TRUNCATE {}"])
def test_every_shard_is_append_only_on_every_node(ledger: LedgerStore, nodes: list[str], change: str) -> None:
    for name in "abcdef":
        Referee(ledger).open(Opening(name=name))
    tried = 0
    for node in nodes:
        for table in ("combatlog.ledger_events", *shards_on(node)):
            with psycopg.connect(node, autocommit=True) as conn:
                conn.execute("SET citus.enable_manual_changes_to_shards TO on")
                with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
                    conn.execute(change.format(table).encode())
            tried += 1
    assert tried == len(nodes) + clusters.SHARDS


def shards_on(node: str) -> list[str]:
    with psycopg.connect(node) as conn:
        conn.execute("SET citus.override_table_visibility TO off")
        query = "SELECT oid::regclass::text FROM pg_class WHERE relname ~ '^ledger_events_[0-9]+$' AND relkind = 'r'"
        return [row[0] for row in conn.execute(query).fetchall()]


def test_a_user_who_may_only_write_works_through_every_node(database: str, nodes: list[str]) -> None:
    """Openings with committed dice, commands and corrections."""
    user = f"test_{uuid4().hex[:12]}"
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(f"CREATE ROLE {user} LOGIN IN ROLE combatlog_writer".encode())
    try:
        for number, node in enumerate(nodes):
            with combatlog.open(make_conninfo(node, user=user)) as ledger:
                fight = ledger.new(f"fight {number}", dice="committed")
                fight.rule(note="it rains", reason="weather")
                fight.apply(fight.plan(Undo()))
                assert len(fight.events()) > 2
    finally:
        with psycopg.connect(database, autocommit=True) as conn:
            conn.execute(f"DROP ROLE {user}".encode())
