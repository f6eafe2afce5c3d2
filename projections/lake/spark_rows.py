"""How Spark gets at the rows of a lake.

Spark reads the files of a folder by itself, and only what a question needs of them. For an object store it would need
the libraries of each provider, so there the workers read through the store access that combatlog has anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from projections.lake.folder import Folder
from projections.lake.manifest import Manifest
from projections.lake.object_store import ObjectStore
from projections.lake.reading import Lake
from projections.lake.store_parts import TIME, parts_of, rows_of
from projections.readmodels.tables import Column, Table

TYPES = {
    "uuid": "STRING",
    "text": "STRING",
    "bigint": "BIGINT",
    "boolean": "BOOLEAN",
    "timestamptz": "TIMESTAMP",
    "text[]": "ARRAY<STRING>",
    "bigint[]": "ARRAY<BIGINT>",
    "bytea": "BINARY",
}
"""What a type of the catalogue is in Spark."""
_PASSED_ON = {**TYPES, TIME: "BIGINT"}
"""What it is in the rows that a worker passes on."""
_GLOB = re.compile(r"([*?\[\]{}\\])")


class Rows(Protocol):
    def of(self, table: Table, columns: Sequence[Column]) -> Any:
        """Some columns of a table, as a data frame with everything that is in the files, older rows included."""


def rows_for(session: Any, lake: Lake) -> Rows:
    if isinstance(lake.place, Folder):
        return FolderRows(session, lake.place.path, lake.manifest)
    from projections.lake.store_files import StoreFiles  # which needs fsspec

    assert isinstance(lake.place, ObjectStore)
    assert isinstance(lake.files, StoreFiles)
    return StoreRows(session, lake.place, lake.manifest, lake.files.sizes)


class FolderRows:
    def __init__(self, session: Any, folder: Path, manifest: Manifest) -> None:
        self._session = session
        self._folder = folder
        self._manifest = manifest
        self._known: dict[str, Any] = {}

    def of(self, table: Table, columns: Sequence[Column]) -> Any:
        if table.name not in self._known:  # Spark looks for every file, so it does that once
            self._known[table.name] = self._read(table)
        return self._known[table.name].select(*(column.name for column in columns))

    def _read(self, table: Table) -> Any:
        schema = _schema(table.columns, TYPES)
        paths = [_address(self._folder / file.path) for file in self._manifest.of(table.name)]
        return self._session.read.schema(schema).parquet(*paths) if paths else self._session.createDataFrame([], schema)


class StoreRows:
    def __init__(self, session: Any, place: ObjectStore, manifest: Manifest, sizes: Mapping[str, int]) -> None:
        self._session = session
        self._place = place
        self._manifest = manifest
        self._sizes = sizes

    def of(self, table: Table, columns: Sequence[Column]) -> Any:
        parts = list(parts_of(self._manifest.of(table.name), self._sizes))
        read = self._session.sparkContext.parallelize(parts, max(1, len(parts)))
        rows = read.flatMap(partial(rows_of, self._place, columns))
        passed_on = self._session.createDataFrame(rows, _schema(columns, _PASSED_ON), verifySchema=False)
        return passed_on.selectExpr(*map(_received, columns))


def _received(column: Column) -> str:
    return f"timestamp_micros(`{column.name}`) AS `{column.name}`" if column.sql_type == TIME else f"`{column.name}`"


def _schema(columns: Iterable[Column], types: Mapping[str, str]) -> str:
    return ", ".join(f"`{column.name}` {types[column.sql_type]}" for column in columns)


def _address(path: Path) -> str:
    """A path in which nothing stands for something else."""
    return "file:" + _GLOB.sub(r"\\\1", str(path.absolute()))
