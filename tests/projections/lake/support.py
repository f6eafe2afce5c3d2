"""What a lake holds, to compare with what the ledger and its read models hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from ledger.store import Ledger
from projections.lake.reading import Lake
from projections.readmodels.catalogue import TABLES
from projections.readmodels.session import catch_up
from tests.projections.readmodels.support import Dump, dump

Event = tuple[UUID, int, str, bytes, bytes]


def rows_in_lake(folder: Path) -> Dump:
    """Every row of every table of the read models, in the order of its key."""
    with Lake.open(folder) as lake:
        return {name: _rows(lake, name, table.key) for name, table in TABLES.items()}


def _rows(lake: Lake, name: str, key: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return lake.sql(f"SELECT * FROM {name} ORDER BY {', '.join(key)}").rows


def rows_in_read_models(ledger: Ledger) -> Dump:
    catch_up(ledger)
    found = dump(ledger.url)
    return {name: [tuple(map(_as_in_a_file, row)) for row in rows] for name, rows in found.items()}


def _as_in_a_file(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def events_in_lake(folder: Path) -> list[Event]:
    with Lake.open(folder) as lake:
        return [(origin, *row) for encounter in sorted(lake.ids()) for origin, row in lake.own_rows(encounter)]


def events_in_ledger(ledger: Ledger) -> list[Event]:
    stored = ledger.recorder.stream_rows(ledger.recorder.head())
    return [(encounter, row.seq, row.name, bytes(row.state), bytes(row.hash)) for encounter, row in stored]
