"""Importing a log that a test writes, through the public interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import combatlog

Import = Callable[..., combatlog.ImportedLog]


@pytest.fixture
def opened(database: str) -> Iterator[combatlog.Ledger]:
    with combatlog.open(database) as ledger:
        yield ledger


@pytest.fixture
def take_in(opened: combatlog.Ledger, tmp_path: Path) -> Import:
    """Imports lines, written to a file first."""

    def take_in(format: str, lines: str | bytes, name: str = "log.txt", **settings: Any) -> combatlog.ImportedLog:
        path = tmp_path / name
        path.write_bytes(lines.encode() if isinstance(lines, str) else lines)
        return opened.import_log(format, [path], **settings)

    return take_in
