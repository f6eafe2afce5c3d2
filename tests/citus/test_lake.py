"""A lake of a cluster: every event once, in the order of its fight, wherever it was written and has moved to."""

from __future__ import annotations

from pathlib import Path
from random import Random

import psycopg

import combatlog
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore
from projections.lake.manifest import read_manifest
from projections.lake.writing import compact_lake, write_lake
from projections.readmodels.rebuild import distribute_ledger
from tests.citus.test_under_load import move_every_shard
from tests.cli.conftest import Run
from tests.projections.lake.test_writing import require_same
from tests.projections.readmodels.support import History


def require_sound(ledger: LedgerStore, folder: Path) -> None:
    require_same(ledger, folder)
    with combatlog.open_lake(folder) as lake:
        assert [report.findings for report in lake.verify()] == [[]] * lake.fights()


def test_a_lake_has_every_event_once_also_if_shards_move(ledger: LedgerStore, nodes: list[str], tmp_path: Path) -> None:
    """Written through every node in turn, by batches of odd sizes; each fight goes on after its shard has moved."""
    chance = Random(5)
    histories = [History(ledger, name, chance) for name in ("one", "two")]
    for node in nodes:
        for history in histories:
            for _ in range(3):
                history.grow()
        with LedgerStore.open(node) as through_it:
            write_lake(through_it, tmp_path, batch=chance.randrange(20, 100))
        require_sound(ledger, tmp_path)
        with psycopg.connect(nodes[0], autocommit=True) as conn:
            move_every_shard(conn)
    compact_lake(tmp_path)
    require_sound(ledger, tmp_path)
    assert set(read_manifest(tmp_path).nodes) == {0, 1, 2}
    assert write_lake(ledger, tmp_path).events == 0


def test_what_comes_from_two_nodes_comes_in_the_order_of_the_fight(
    ledger: LedgerStore, nodes: list[str], tmp_path: Path
) -> None:
    """Nothing was written before the shards moved, so every fight has events on two nodes at once."""
    histories = [History(ledger, name, Random(name)) for name in ("one", "two", "three")]
    for _ in range(2):
        for history in histories:
            history.grow()
        with psycopg.connect(nodes[0], autocommit=True) as conn:
            move_every_shard(conn)
    write_lake(ledger, tmp_path, batch=7)
    require_sound(ledger, tmp_path)


def test_a_lake_that_one_server_began_goes_on(undistributed: list[str], tmp_path: Path) -> None:
    coordinator, worker = undistributed[:2]
    with LedgerStore.open(coordinator) as ledger:
        history = History(ledger, "old", Random(1))
        history.grow()
        before = write_lake(ledger, tmp_path)
    distribute_ledger(coordinator, shards=4)
    with LedgerStore.open(worker) as ledger:
        Referee(ledger).open(Opening(name="new"))
        after = write_lake(ledger, tmp_path)
        assert (after.events, after.position) == (1, before.position + 1)
        require_sound(ledger, tmp_path)


def test_the_commands(ledger: LedgerStore, cli_database: str, run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "lake")
    Referee(ledger).open(Opening(name="bridge"))
    assert "Wrote 1 event of 1 encounter" in run("lake", "write", folder).out
    assert "(up to notification 0 of node 0 and " in run("lake", "status", folder).out
    assert run("db", "backup", str(tmp_path / "backup")).code == "backup/several-nodes"
    assert not (tmp_path / "backup").exists()
