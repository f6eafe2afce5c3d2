"""These tests need a Citus cluster; see `tests.clusters`."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest

from tests import clusters
from tests.cli.conftest import run as run


@pytest.fixture
def server(citus: str) -> str:
    return citus


@pytest.fixture
def nodes(database: str) -> list[str]:
    """The URLs of the ledger on every node, the coordinator's first."""
    return clusters.nodes_of(database)


@pytest.fixture
def undistributed(citus: str) -> Iterator[list[str]]:
    """A cluster whose ledger is still on the coordinator alone."""
    name = f"test_{uuid4().hex}"
    yield clusters.make_database(name)
    for server in clusters.given():
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]
