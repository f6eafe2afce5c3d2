"""These tests need a Citus cluster; see `tests.clusters`."""

from __future__ import annotations

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
