"""What a lake holds, to compare with what the ledger and its read models hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from ledger.store.ledger import LedgerStore
from projections.lake.location import FolderLocation, location_of
from projections.lake.manifest import read_manifest
from projections.lake.object_store import ObjectStore, connected
from projections.lake.reading import LakeReader
from projections.readmodels.catalogue import TABLES
from projections.readmodels.session import catch_up
from tests.projections.readmodels.support import Dump, dump

Event = tuple[UUID, int, str, bytes, bytes]


def rows_in_lake(where: str | Path) -> Dump:
    """Every row of every table of the read models, in the order of its key."""
    with LakeReader.open(where) as lake:
        return {name: _rows(lake, name, table.key) for name, table in TABLES.items()}


def _rows(lake: LakeReader, name: str, key: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return lake.sql(f"SELECT * FROM {name} ORDER BY {', '.join(key)}").rows


def rows_in_read_models(ledger: LedgerStore) -> Dump:
    catch_up(ledger)
    found = dump(ledger.url)
    return {name: [tuple(map(_as_in_a_file, row)) for row in rows] for name, rows in found.items()}


def _as_in_a_file(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def events_in_lake(where: str | Path) -> list[Event]:
    with LakeReader.open(where) as lake:
        return [(origin, *row) for encounter in sorted(lake.ids()) for origin, row in lake.own_rows(encounter)]


def events_in_ledger(ledger: LedgerStore) -> list[Event]:
    stored = ledger.recorder.stream_rows(ledger.recorder.head())
    return [(encounter, row.seq, row.name, bytes(row.state), bytes(row.hash)) for encounter, row in stored]


def not_listed(where: str | Path) -> list[str]:
    """What a killed run left behind."""
    place = location_of(where)
    listed = {file.path for file in read_manifest(place).files}
    staged = [str(path) for path in place.path.glob(".staging-*")] if isinstance(place, FolderLocation) else []
    return [path for path in place.files() if path not in listed] + staged


def put_in_place_of_another(where: str, table: str, other: str) -> None:
    """Somebody copies the file of a table over that of another table."""
    (file,), (over,) = read_manifest(where).of(table), read_manifest(where).of(other)
    replace_file(where, over.path, read_file(where, file.path))


def read_file(where: str, path: str) -> bytes:
    place = location_of(where)
    if isinstance(place, ObjectStore):
        return bytes(connected(place.scheme, place.bucket, place.prefix).get(path).bytes())
    return Path(where, path).read_bytes()


def remove_file(where: str, path: str) -> None:
    place = location_of(where)
    if isinstance(place, ObjectStore):
        connected(place.scheme, place.bucket, place.prefix).delete(path)
    else:
        Path(where, path).unlink()


def replace_file(where: str, path: str, content: bytes) -> None:
    place = location_of(where)
    if isinstance(place, ObjectStore):
        connected(place.scheme, place.bucket, place.prefix).put(path, content)
    else:
        Path(where, path).write_bytes(content)
