"""A rebuild by several processes, each on the node that has the events, makes what one process makes elsewhere."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from random import Random
from threading import Thread

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.citus import shards_of
from ledger.store.ledger import LedgerStore
from projections.readmodels import row_projection
from projections.readmodels.rebuild import NEXT, fill_shards, rebuild
from projections.readmodels.recorder import ReadModels
from tests import clusters
from tests.citus.test_statistics import copy, fight_everything
from tests.citus.test_under_load import move_every_shard
from tests.projections.readmodels.support import History, dump
from tests.projections.readmodels.test_keeping import write_notes
from tests.projections.readmodels.test_rebuild import paused_rebuild, schemas


@pytest.fixture(autouse=True)
def several_processes_for_few_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_projection, "EVENTS_AT_ONCE", 1)


@pytest.fixture
def plain(embedded: str, make_database: Callable[[str], str]) -> Iterator[LedgerStore]:
    """A ledger on one server."""
    with LedgerStore.open(make_database(embedded)) as opened:
        yield opened


def test_shards_are_given_out_node_by_node_in_turns(ledger: LedgerStore, database: str, plain: LedgerStore) -> None:
    ports = [conninfo_to_dict(shard.url)["port"] for shard in shards_of(database)]
    assert len(ports) == clusters.SHARDS
    workers = len(clusters.given()) - 1
    assert all(len(set(ports[first : first + workers])) == workers for first in range(0, len(ports), workers))
    assert shards_of(plain.url) == []


def test_it_makes_what_one_server_makes(ledger: LedgerStore, database: str, plain: LedgerStore) -> None:
    fight_everything(plain)
    copy(plain, ledger)
    expected = rebuild(plain.url)
    seen: list[int] = []
    assert rebuild(database, lambda done, total: seen.append(done), jobs=2) == expected
    assert dump(database) == dump(plain.url)
    assert len(seen) == clusters.SHARDS
    assert seen[-1] == expected.events


def test_events_from_before_a_shard_has_moved_are_in(ledger: LedgerStore, database: str) -> None:
    histories = [History(ledger, name, Random(name)) for name in ("one", "two", "three")]
    for _ in range(2):
        for history in histories:
            history.grow()
        with psycopg.connect(database, autocommit=True) as conn:
            move_every_shard(conn)
    rebuild(database)
    alone = dump(database)
    rebuild(database, jobs=2)
    assert dump(database) == alone


def test_a_shard_that_is_gone_from_its_node_is_named(ledger: LedgerStore, database: str) -> None:
    shards = shards_of(database)
    with psycopg.connect(database, autocommit=True) as conn:
        move_every_shard(conn)
        conn.execute("CALL citus_cleanup_orphaned_resources()")
    with pytest.raises(Problem) as caught:
        list(fill_shards(NEXT, shards[:1], {}, jobs=1))
    assert (caught.value.code, caught.value.facts) == ("projections/shard-moved", {"shard": shards[0].number})


def test_others_write_and_catch_up_meanwhile(ledger: LedgerStore, database: str, nodes: list[str]) -> None:
    writers = [Thread(target=write_notes, args=(node, f"fight {n}", 30)) for n, node in enumerate(nodes)]
    for writer in writers:
        writer.start()
    with ReadModels.open(database) as other:
        for _ in range(2):
            rebuild(database, jobs=2)
            other.catch_up(ledger)
        for writer in writers:
            writer.join()
        other.catch_up(ledger)
    followed = dump(database)
    assert len(followed["declarations"]) == 30 * len(nodes)
    rebuild(database)
    assert dump(database) == followed


def test_what_a_killed_rebuild_leaves_behind_is_removed_by_the_next(ledger: LedgerStore, database: str) -> None:
    for name in "abcdefghijkl":
        Referee(ledger).open(Opening(name=name))  # there are some in each shard
    rebuild(database)
    before = dump(database)
    process = paused_rebuild(database, jobs=2)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert dump(database) == before
    assert NEXT in schemas(database)
    rebuild(database)
    assert dump(database) == before
    assert schemas(database) == {"combatlog", "combatlog_read"}


def test_a_rebuild_that_fails_leaves_nothing_behind(ledger: LedgerStore, database: str) -> None:
    History(ledger, "fight", Random(1)).grow()
    rebuild(database)
    before = dump(database)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(database, interrupt, jobs=2)
    assert dump(database) == before
    assert schemas(database) == {"combatlog", "combatlog_read"}
