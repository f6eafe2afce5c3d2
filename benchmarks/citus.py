"""Citus: appends through one node and through all nodes of a cluster, against one server of the same kind.

Only where COMBATLOG_TEST_CITUS_URLS names a cluster (`tests.clusters`). If all nodes are on one machine, they share its
processors, so this shows what distributing costs and not what it gains.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.databases import empty_ledger
from benchmarks.duel import open_duel
from benchmarks.load import WRITERS, write
from benchmarks.measure import Result, in_turns
from combatlog.rules.engine.referee import Referee
from ledger.store import Ledger
from tests import clusters


def run_citus(url: str, seconds: float) -> Iterator[Result]:
    if not clusters.given():
        return
    with empty_ledger(clusters.given()[0]) as plain, _distributed_ledger() as nodes:
        places = ([plain], nodes[:1], nodes)
        alone, one, every = map(median, in_turns([partial(_appends, place) for place in places], seconds))
    what = f"{WRITERS} writers appending"
    yield Result(f"{what} through the coordinator of a cluster on one machine, against one server", "", one, alone, 0)
    yield Result(f"{what} through all {len(nodes)} nodes, against one server", "", every, alone, 0)


def _appends(nodes: list[str], seconds: float) -> float:
    """A second, by writers with an encounter each, who take the nodes in turns."""
    with Ledger.open(nodes[0]) as ledger:
        names = [open_duel(Referee(ledger)) for _ in range(WRITERS)]
    places = [nodes[number % len(nodes)] for number in range(WRITERS)]
    return len(write("append", places, seconds, [[name] for name in names])) / seconds


@contextmanager
def _distributed_ledger() -> Iterator[list[str]]:
    name = f"bench_{uuid4().hex}"
    try:
        yield clusters.nodes_of(clusters.make_ledger(name))
    finally:
        for server in clusters.given():
            with psycopg.connect(server, autocommit=True) as conn:
                conn.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))
