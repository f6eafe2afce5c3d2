"""A server to do harm to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.store.database import EmbeddedPostgres


@pytest.fixture
def own_server(own_folder: Path) -> Iterator[EmbeddedPostgres]:
    """A server that nobody else uses."""
    server = EmbeddedPostgres(own_folder / "postgres")
    server.start()
    yield server
    server.stop()
