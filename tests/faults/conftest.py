"""How often each fault is tried."""

from __future__ import annotations

import os

import pytest

FULL = os.environ.get("COMBATLOG_FAULTS") == "full"


def times(short: int, full: int) -> pytest.MarkDecorator:
    """Tried so often, with another chance each time."""
    return pytest.mark.parametrize("chance", range(full if FULL else short))
