"""How often each fault is tried."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.database import Embedded

FULL = os.environ.get("COMBATLOG_FAULTS") == "full"


def times(short: int, full: int) -> pytest.MarkDecorator:
    """Tried so often, with another chance each time."""
    return pytest.mark.parametrize("chance", range(full if FULL else short))


@pytest.fixture
def own_server(server_folder: Path) -> Iterator[Embedded]:
    """A server that nobody else uses."""
    server = Embedded(server_folder / f"own-{uuid4().hex[:12]}")
    server.start()
    yield server
    server.stop()
