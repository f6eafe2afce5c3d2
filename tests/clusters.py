"""A Citus cluster for tests, if one is given: COMBATLOG_TEST_CITUS_URLS has the coordinator's URL, then the workers'.

The URLs are those of a superuser, separated by spaces or commas. The servers need citus in shared_preload_libraries
and, for the test of shards that move, wal_level = logical. The test that crashes a worker needs it on this machine.
"""

from __future__ import annotations

import os

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from projections.readmodels.distribution import distribute_ledger

VARIABLE = "COMBATLOG_TEST_CITUS_URLS"
SHARDS = 4


def given() -> list[str]:
    return os.environ.get(VARIABLE, "").replace(",", " ").split()


def coordinator() -> str:
    if not given():
        pytest.skip(f"{VARIABLE} does not name a Citus cluster")
    return given()[0]


def make_database(name: str) -> list[str]:
    """An empty database on every node, which know each other; the coordinator's URL comes first."""
    urls = [make_conninfo(url, dbname=name) for url in given()]
    for server, url in zip(given(), urls, strict=True):
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name}")
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute("CREATE EXTENSION citus")
    with psycopg.connect(urls[0], autocommit=True) as conn:
        conn.execute("SELECT citus_set_coordinator_host(%s, %s::integer)", _address(urls[0]))
        for url in urls[1:]:
            conn.execute("SELECT citus_add_node(%s, %s::integer)", _address(url))
    return urls


def make_ledger(name: str) -> str:
    """A distributed ledger, by its coordinator."""
    url = make_database(name)[0]
    distribute_ledger(url, shards=SHARDS)
    return url


def nodes_of(database: str) -> list[str]:
    """The URLs of the same database on every node."""
    name = conninfo_to_dict(database)["dbname"]
    return [make_conninfo(url, dbname=str(name)) for url in given()]


def _address(url: str) -> tuple[str, int]:
    known = conninfo_to_dict(url)
    return str(known["host"]), int(known["port"] or 5432)
